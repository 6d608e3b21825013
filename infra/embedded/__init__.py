"""PostgreSQL and Valkey as children of this process, from wheels, with nothing to install."""
