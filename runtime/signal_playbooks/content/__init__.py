"""What is declared: read with positions, checked, and put together as one library."""
