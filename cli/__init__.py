"""The commands, one file a family; each command imports what it alone needs."""

import os

# Every matrix here is small; where OpenBLAS shares one out among threads, these wait in loops for one another and take five
# times the processor's time (a calibration by tags most of all). It is asked for once, when numpy is imported.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
