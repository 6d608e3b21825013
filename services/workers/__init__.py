"""Background work: projections, timers, ledger audits, erasures, retention of answers."""
