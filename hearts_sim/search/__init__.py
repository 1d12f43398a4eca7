"""What bots that look ahead share: hidden hands that could be, playouts, trees, endgames."""
