"""From pictures to observations: photos, the reader, and what measures them."""
