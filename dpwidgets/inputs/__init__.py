"""What comes in is checked here, once: numbers, columns of data, notation, text from outside."""
