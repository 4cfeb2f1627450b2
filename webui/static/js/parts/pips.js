// Where the pips of 0 to 15 lie on one half of a tile, as they are printed on the sets that are sold.

const MIDDLE = 0.5;

/** `number` places spread evenly along one row of a half. */
function row(across, number, edge) {
  if (number === 1) return [[MIDDLE, across]];
  const step = (1 - 2 * edge) / (number - 1);
  return Array.from({ length: number }, (_, index) => [edge + index * step, across]);
}

/** Rows of pips that run along the tile: outer, middle, outer. */
function rows(outer, middle, edge) {
  const side = edge;
  return [...row(side, outer, edge), ...(middle ? row(MIDDLE, middle, edge) : []), ...row(1 - side, outer, edge)];
}

const WIDE = 0.24;
const CLOSE = 0.17;

const LAYOUTS = [
  [],
  [[MIDDLE, MIDDLE]],
  [[WIDE, 1 - WIDE], [1 - WIDE, WIDE]],
  [[WIDE, 1 - WIDE], [MIDDLE, MIDDLE], [1 - WIDE, WIDE]],
  rows(2, 0, WIDE),
  rows(2, 1, WIDE),
  rows(3, 0, WIDE),
  rows(3, 1, WIDE),
  rows(3, 2, WIDE),
  rows(3, 3, WIDE),
  rows(4, 2, CLOSE),
  rows(4, 3, CLOSE),
  rows(4, 4, CLOSE),
  rows(5, 3, CLOSE),
  rows(5, 4, CLOSE),
  rows(5, 5, CLOSE),
];

/** Places [along, across] of the pips on a half of side 1 whose tile lies left to right. */
export function pipPlaces(pips) {
  return LAYOUTS[pips];
}

/** The radius of a pip on a half of side 1. */
export function pipRadius(pips) {
  if (pips > 12) return 0.066;
  return pips > 9 ? 0.075 : 0.092;
}
