"""Mutation testing: small faults put into the product one at a time, each of which a test must notice."""
