"""The part of Fieldlog that other programs may use: `fieldlog.client`."""
