// Cuts one tile out of the photo, turned so that it lies like the drawing beside it.

const WIDTH = 192; // pixels of the cut-out; shown at half of that
const HEIGHT = 96;
const RIM = 0.9; // the tile fills this much of it

/** A canvas with the tile, or null where the photo cannot be drawn here or nobody knows where the tile lies. */
export function drawCrop(photo, tile, typicalLength) {
  if (!photo?.view || !(tile.corners || tile.at)) return null;
  const frame = tile.corners ? tileFrame(tile.corners) : spotFrame(tile.at, typicalLength);
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  canvas.className = "crop";
  canvas.setAttribute("aria-hidden", "true");
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.imageSmoothingQuality = "high";
  context.setTransform(...toCanvas(frame));
  context.drawImage(photo.view.image, 0, 0, photo.size[0], photo.size[1]);
  return canvas;
}

/** Centre and the two axes of a tile: `along` from the first end to the second, `across` clockwise from it. */
function tileFrame([first, second, third, fourth]) {
  const mean = (index) => (first[index] + second[index] + third[index] + fourth[index]) / 4;
  const along = [0, 1].map((axis) => (third[axis] - second[axis] + fourth[axis] - first[axis]) / 2);
  const across = [0, 1].map((axis) => (first[axis] - second[axis] + fourth[axis] - third[axis]) / 2);
  return { centre: [mean(0), mean(1)], along, across };
}

/** The surroundings of a spot that a person tapped. */
function spotFrame(at, length) {
  return { centre: at, along: [2 * length, 0], across: [0, length] };
}

/** The canvas transform [a, b, c, d, e, f] that takes photo pixels to the cut-out. */
function toCanvas({ centre, along, across }) {
  const [ax, ay] = along.map((value) => value / (WIDTH * RIM));
  const [bx, by] = across.map((value) => value / (HEIGHT * RIM));
  const determinant = ax * by - ay * bx || 1;
  const matrix = [by / determinant, -ay / determinant, -bx / determinant, ax / determinant];
  const x = WIDTH / 2 - matrix[0] * centre[0] - matrix[2] * centre[1];
  const y = HEIGHT / 2 - matrix[1] * centre[0] - matrix[3] * centre[1];
  return [...matrix, x, y];
}

/** The usual length of a tile in a photo, in its pixels: the middle one of those read, else a tenth of the photo. */
export function typicalLength(photo, tiles) {
  const lengths = tiles
    .filter((tile) => tile.photo === photo.id && tile.corners)
    .map((tile) => Math.hypot(...tileFrame(tile.corners).along))
    .sort((one, other) => one - other);
  return lengths[Math.floor(lengths.length / 2)] ?? Math.max(...photo.size) / 10;
}
