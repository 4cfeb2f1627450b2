// The photos of the hand and the line in which they are read, one after the other; one that fails lets the others go on.

import { say } from "../parts/words.js";
import { preparePhoto } from "./photo.js";
import { PhotoProblem, readPhoto } from "./send.js";

const FORM_BYTES = 2000; // what is sent beside the photo itself

/**
 * Keeps the photos in memory until they are forgotten. `server` is { url, largest: bytes of an upload }.
 * `on.changed(photo)` at every step of its reading, `on.read(photo, reading)` when it is done, `choice()` gives { set, copies }.
 */
export function createPhotos(server, choice, on) {
  const photos = new Map();
  const line = [];
  let working = false;
  let next = 1;

  function move(photo, changes) {
    Object.assign(photo, changes);
    on.changed(photo);
  }

  async function work() {
    if (working) return;
    working = true;
    while (line.length) await readOne(line.shift());
    working = false;
  }

  async function readOne(photo) {
    try {
      if (!photo.upload) {
        move(photo, { status: "preparing" });
        Object.assign(photo, await preparePhoto(photo.file));
      }
      if (photo.upload.size > server.largest - FORM_BYTES) {
        throw new PhotoProblem(say("This file has more than {megabytes} MB: save the photo smaller, as JPEG.", { megabytes: Math.floor(server.largest / 1e6) }), false);
      }
      move(photo, { status: "sending", sent: 0 });
      const reading = await readPhoto(server.url, { blob: photo.upload, name: photo.file.name }, choice(), (step) => move(photo, stage(step)));
      Object.assign(photo, { status: "read", size: reading.size, facedown: reading.facedown_corners });
      on.read(photo, reading);
    } catch (problem) {
      const known = problem instanceof PhotoProblem;
      move(photo, { status: "failed", problem: known ? problem.message : say("This photo cannot be opened here."), again: !known || problem.again });
    }
  }

  function enter(photo) {
    photo.status = "queued";
    line.push(photo);
    work();
  }

  return {
    get: (id) => photos.get(id),
    get busy() {
      return working;
    },
    /** Takes picture files; gives their photos, named from "Photo `first`" on. */
    take(files, first) {
      return [...files].map((file, index) => {
        const id = `photo-${next}`;
        const photo = { id, number: first + index, name: say("Photo {number}", { number: first + index }), file, upload: null, view: null, size: null, status: "queued", facedown: [] };
        next += 1;
        photos.set(id, photo);
        return photo;
      });
    },
    read: (list) => list.forEach(enter),
    /** Forgets all photos but those named. */
    keepOnly(ids) {
      for (const [id, photo] of photos) {
        if (ids.has(id)) continue;
        if (photo.view) URL.revokeObjectURL(photo.view.url);
        photos.delete(id);
      }
    },
  };
}

function stage(step) {
  if (step.waiting) return { status: "waiting" };
  if (step.reading) return { status: "reading" };
  return { status: "sending", sent: step.sent };
}
