"""What teaches with an explorer: what is asked, drawn, checked and kept."""
