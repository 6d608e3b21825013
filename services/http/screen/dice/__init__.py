"""Dice: proofs, luck, verification."""
