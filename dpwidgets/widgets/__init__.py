"""What explorers are made of: base class, parameters, controls, live picture, words, files."""
