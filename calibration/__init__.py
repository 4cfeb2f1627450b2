"""Where the camera stands over the table: tags, lens and the way from pixels to millimetres. Nothing here yet."""
