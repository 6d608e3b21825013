"""The only importer of infra: here the services meet what they run on."""
