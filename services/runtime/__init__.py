"""Parts that every process needs: logging, metrics, readiness, scheduling of long work."""
