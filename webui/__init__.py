"""The web page of the table: what phones, the TV across the room and scripts on the local network see."""
