"""Adapters to the machine: randomness, clock, the key file, and the folder of stream heads."""
