"""The web outside, as far as members may have something sent there."""
