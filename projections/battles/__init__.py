"""A battle as it stands on the table, for systems that fight one."""
