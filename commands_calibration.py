"""The commands of calibration."""
