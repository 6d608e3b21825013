"""PostgreSQL and Valkey as child processes, from wheels: nothing has to be installed."""
