"""Who may know what: audiences, hidden things, and how they enter play."""
