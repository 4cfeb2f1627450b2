"""Where pictures of a table come from: cameras, streams, files, folders, a phone's browser, a simulated table."""
