"""The trained networks, their cards, and the recipe that makes them."""
