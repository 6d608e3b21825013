"""Fast execution of PostgreSQL statements; the README says what each part gains."""
