"""Who may know what: audiences, what may be hidden, and how it enters play."""
