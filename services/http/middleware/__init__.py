"""What every request passes: limits, language, sign-in, where it comes from, how it is answered."""
