"""The table: boards, sheets, records, what waits, and what happens live."""
