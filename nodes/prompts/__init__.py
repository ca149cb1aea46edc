"""The texts that models are given, as files, and fumehood's own inspection program."""
