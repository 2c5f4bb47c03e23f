"""Text as it is compared and cut: folded words with their places, unspaced scripts as pairs, clean cuts."""
