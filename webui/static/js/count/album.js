// The photos of the hand with what was made from them: their figures on the page and the cut-outs of their tiles.

import { drawCrop, typicalLength } from "./crop.js";
import { createPhotos } from "./photos.js";
import { createPicture } from "./picture.js";

/**
 * `server` is { url, largest }, `history` that of the hand, `choice` { set, copies }, `acts` are those of a picture.
 * `on.changed(photo)` and `on.read(photo, reading)` as for the photos.
 */
export function createAlbum(server, history, choice, acts, on) {
  const photos = createPhotos(server, () => ({ ...choice }), on);
  const pictures = new Map();
  const crops = new Map();

  /** Lets go of everything that no undo can bring back. */
  function forgetUnreachable() {
    const ids = new Set(history.reachable.flatMap((hand) => hand.photos));
    const tiles = new Set(history.reachable.flatMap((hand) => hand.tiles.map((tile) => tile.id)));
    photos.keepOnly(ids);
    for (const id of pictures.keys()) if (!ids.has(id)) pictures.delete(id);
    for (const id of crops.keys()) if (!tiles.has(id)) crops.delete(id);
  }

  return {
    /** The photos of a hand that are still in memory. */
    of: (hand) => hand.photos.map((id) => photos.get(id)).filter(Boolean),
    read: photos.read,
    /** Takes picture files in; gives their photos, not read yet. */
    take(files) {
      forgetUnreachable();
      const numbers = history.now.photos.map((id) => photos.get(id)?.number ?? 0);
      return photos.take(files, Math.max(0, ...numbers) + 1);
    },
    /** The figure of a photo, always the same one. */
    picture(photo) {
      if (!pictures.has(photo.id)) pictures.set(photo.id, createPicture(photo, acts));
      return pictures.get(photo.id);
    },
    /** The cut-out of a tile (or of a tapped spot), always the same canvas; null where there is none. */
    crop(tile) {
      if (!crops.has(tile.id)) {
        const photo = photos.get(tile.photo);
        crops.set(tile.id, photo?.size ? drawCrop(photo, tile, typicalLength(photo, history.now.tiles)) : null);
      }
      return crops.get(tile.id);
    },
  };
}
