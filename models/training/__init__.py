"""The recipe: made-up pictures, two small networks, their training, export and evaluation."""
