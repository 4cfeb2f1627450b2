"""Camera and table geometry: where every pixel lies on the table, in millimetres."""
