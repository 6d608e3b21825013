"""What other programs may use of Fieldlog: `fieldlog.client`."""
