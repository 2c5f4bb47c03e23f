"""What a wish and a post mean: pure functions of lexicon and text."""
