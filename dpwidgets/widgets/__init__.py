"""What explorers are made of: their base class, parameters and controls, the live picture, words and files."""
