"""The HTTP API: routes, which parse, call and shape. No page imports one."""
