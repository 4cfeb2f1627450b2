"""Lamps, windows, shadows and glare; then what a camera makes of it: exposure, cast, blur, noise, compression."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from simulator.noise import between, blobs, chance, clouds, log_between

Picture = NDArray[np.float32]
SHINY = 0.38
"""Something shines on so many tables, unless more is wanted."""

_COARSE = 4  # light changes slowly: its fields are painted this much smaller


def _grid(height: int, width: int) -> tuple[Picture, Picture]:
    """Normalised pixel coordinates, 0..1 along the longer side."""
    longest = max(height, width)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32) / np.float32(longest)
    return x, y


def illumination(height: int, width: int, rng: np.random.Generator) -> Picture:
    """(height, width, 3) multiplier: uneven light, soft shadows, hard sun, coloured lamps."""
    h, w = max(2, height // _COARSE), max(2, width // _COARSE)
    x, y = _grid(h, w)
    field = np.ones((h, w), np.float32)
    angle = between(rng, 0, 2 * np.pi)
    field += between(rng, 0, 0.45) * ((x - 0.5) * np.cos(angle) + (y - 0.5) * np.sin(angle)).astype(np.float32)
    if chance(rng, 0.3):  # a lamp over one place
        cx, cy, reach = between(rng, 0, 1), between(rng, 0, 1), between(rng, 0.2, 0.8)
        field *= np.float32(between(rng, 0.45, 0.8)) + np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * reach**2)) * np.float32(0.7)
    if chance(rng, 0.3):  # somebody's shadow
        shadow = clouds(h, w, between(rng, 0.3, 1) * max(h, w), rng, 2)
        edge = between(rng, 0.05, 0.6)
        field *= 1 - np.float32(between(rng, 0.15, 0.6)) * np.clip((shadow - between(rng, -0.5, 0.8)) / edge, 0, 1)
    out = np.repeat(cv2.resize(field, (width, height))[..., None], 3, axis=2)
    if chance(rng, 0.15):  # hard-edged sun or shade
        mask = np.zeros((height, width), np.uint8)
        centre = rng.uniform(0, 1, 2) * (width, height)
        points = (rng.normal(0, 0.45, (int(rng.integers(3, 6)), 2)) * max(width, height) + centre).astype(np.int32)
        cv2.fillPoly(mask, [cv2.convexHull(points)], 255, cv2.LINE_AA)
        soft = cv2.GaussianBlur(mask, (0, 0), log_between(rng, 0.6, 12)).astype(np.float32)[..., None] / 255
        warm = np.array([0.85, 1.0, 1.1], np.float32) * np.float32(between(rng, 1.4, 2.2))
        out *= 1 + soft * (warm - 1) if chance(rng, 0.6) else 1 - soft * np.float32(between(rng, 0.3, 0.7))
    if chance(rng, 0.15):  # two lamps of different colour
        tint = rng.normal(0, 0.18, 3).astype(np.float32)
        mix = np.clip(0.5 + cv2.resize(blobs(h, w, max(h, w) / 1.5, rng), (width, height)) * 0.5, 0, 1)
        out *= 1 + mix[..., None] * tint
    return np.maximum(out, 0.02).astype(np.float32)


def glare(height: int, width: int, half_px: float, rng: np.random.Generator, often: float = SHINY) -> Picture | None:
    """(height, width) light that shiny things throw back, 0..1, or None where nothing shines."""
    if not chance(rng, often):
        return None
    h, w = max(2, height // _COARSE), max(2, width // _COARSE)
    x, y = _grid(h, w)
    field = np.zeros((h, w), np.float32)
    for _ in range(int(rng.integers(1, 4))):
        cx, cy = between(rng, 0, w / max(h, w)), between(rng, 0, h / max(h, w))
        angle, long = between(rng, 0, np.pi), log_between(rng, 0.03, 0.5)
        thin = long * between(rng, 0.2, 1)
        u = (x - cx) * np.float32(np.cos(angle)) + (y - cy) * np.float32(np.sin(angle))
        v = -(x - cx) * np.float32(np.sin(angle)) + (y - cy) * np.float32(np.cos(angle))
        power = 2 if chance(rng, 0.6) else 6  # a lamp's round spot, or a window's flat patch
        field += np.float32(between(rng, 0.15, 0.85)) * np.exp(-np.abs(u / long) ** power - np.abs(v / thin) ** power)
    out = cv2.resize(field, (width, height))
    if chance(rng, 0.25):  # film, scratches or a wet table break it up
        rough = clouds(height, width, max(4.0, half_px * between(rng, 0.3, 1.5)), rng, 3)
        out = out * np.clip(0.5 + rough, 0, 1.5)
    return np.clip(out, 0, 0.95).astype(np.float32)


def film(height: int, width: int, half_px: float, rng: np.random.Generator) -> Picture:
    """(height, width) streaks of light on tiles still wrapped in plastic."""
    field = clouds(height, width, max(4.0, half_px * between(rng, 0.4, 1.4)), rng, 4)
    ridge = np.exp(-((field / between(rng, 0.05, 0.25)) ** 2))
    return (ridge * between(rng, 0.2, 0.8)).astype(np.float32)


def photograph(scene: Picture, half_px: float, rng: np.random.Generator, coloured: bool = False) -> NDArray[np.uint8]:
    """What a camera stores of a lit scene: (h, w, 3) float BGR about 0..1 to uint8.

    coloured: never so dark, bleached or tinted that a person could not name colours.
    """
    picture = scene
    if chance(rng, 0.25):  # a good camera in good light
        picture = picture * np.float32(between(rng, 0.85, 1.15))
        picture = picture + rng.standard_normal((*picture.shape[:2], 1), np.float32) * np.float32(between(rng, 0, 0.012))
        return (np.clip(picture, 0, 1) * 255).astype(np.uint8)
    kind = rng.random()
    exposure = between(rng, 0.8, 1.2) if kind < 0.66 else log_between(rng, 0.14, 0.8) if kind < 0.86 else between(rng, 1.2, 2.0)
    if coloured:
        exposure = float(np.clip(exposure, 0.5, 1.4))
    strong = chance(rng, 0.25) and not coloured
    cast = np.exp(rng.normal(0, 0.22 if strong else 0.06, 3)).astype(np.float32)
    picture = np.clip(picture * (cast * np.float32(exposure)), 0, 1)
    picture = picture ** np.float32(log_between(rng, 0.65, 1.3))
    if chance(rng, 0.35):
        grey = picture.mean(axis=2, keepdims=True)
        picture = grey + (picture - grey) * np.float32(between(rng, 0.65 if coloured else 0.0, 1.5))
    picture = _lens(picture, half_px, rng)
    if exposure < 0.5 and chance(rng, 0.4):  # the camera lifts a dark room and its noise with it
        picture = picture * np.float32(between(rng, 1, 0.6 / exposure))
    picture = _sensor(picture, exposure, rng)
    stored = (np.clip(picture, 0, 1) * 255).astype(np.uint8)
    if chance(rng, 0.65):
        quality = int(between(rng, 25, 96))
        packed = cv2.imencode(".jpg", stored, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        stored = np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8)
    return stored


def _lens(picture: Picture, half_px: float, rng: np.random.Generator) -> Picture:
    """Defocus, motion, lost resolution; never so much that a person could not count the pips."""
    limit = 0.036 * half_px + 0.15
    if chance(rng, 0.6):
        picture = cv2.GaussianBlur(picture, (0, 0), max(0.2, between(rng, 0.1, 1) * limit))
    if chance(rng, 0.08):
        reach = max(2, int(between(rng, 1.5, 3.5) * limit))
        kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
        angle = between(rng, 0, np.pi)
        dx, dy = reach / 2 * np.cos(angle), reach / 2 * np.sin(angle)
        cv2.line(kernel, (round(reach - dx), round(reach - dy)), (round(reach + dx), round(reach + dy)), 1.0, 1)
        picture = cv2.filter2D(picture, -1, kernel / kernel.sum())
    if half_px > 16 and chance(rng, 0.15):
        height, width = picture.shape[:2]
        scale = between(rng, max(0.4, 11 / half_px), 0.95)
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        picture = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR if chance(rng, 0.5) else cv2.INTER_CUBIC)
    if chance(rng, 0.25):
        soft = cv2.GaussianBlur(picture, (0, 0), between(rng, 0.6, 2.0))
        picture = picture + (picture - soft) * np.float32(between(rng, 0.3, 2.0))
    return picture


def _sensor(picture: Picture, exposure: float, rng: np.random.Generator) -> Picture:
    """Noise: fine, coarse and coloured; more of it in the dark."""
    height, width = picture.shape[:2]
    level = log_between(rng, 0.002, 0.035) * (1.6 if exposure < 0.5 else 1.0)
    if chance(rng, 0.75):
        fine = rng.standard_normal((height, width, 1 if chance(rng, 0.4) else 3), np.float32)
        picture = picture + fine * np.float32(level)
    if chance(rng, 0.2):
        coarse = cv2.resize(rng.standard_normal((height // 3, width // 3, 3), np.float32), (width, height))
        picture = picture + coarse * np.float32(level)
    if chance(rng, 0.12):
        picture = picture + np.float32(between(rng, 0, 0.12))  # haze, or a lens with a fingerprint
    return picture
