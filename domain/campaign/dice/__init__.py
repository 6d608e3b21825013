"""Server dice: their epochs, whose dice count, and the audit of all dice."""
