// Sends one photo to be read and waits for what lies in it.

import { say } from "../parts/words.js";

const TRIES_WHILE_BUSY = 30;

/** Why a photo was not read, in one sentence; `again` says whether trying again may help. */
export class PhotoProblem extends Error {
  constructor(sentence, again) {
    super(sentence);
    this.again = again;
  }
}

const NO_ANSWER = say("Kibitz does not answer. Is it still running, and is this device on the same Wi-Fi?");

/**
 * Reads a photo: `photo` is { blob, name }, `choice` { set, copies }.
 * `onProgress` gets { sent: 0..1 }, then { reading: true }, or { waiting: true } while others are read first.
 * Gives the reading of the JSON interface; throws a PhotoProblem.
 */
export async function readPhoto(url, photo, choice, onProgress) {
  for (let attempt = 0; attempt < TRIES_WHILE_BUSY; attempt += 1) {
    const answer = await post(url, photo, choice, onProgress);
    if (answer.status !== 503) return understood(answer);
    onProgress({ waiting: true });
    await pause(1000 * Math.max(1, answer.retryAfter));
  }
  throw new PhotoProblem(say("Many photos are being read at the moment. Try again in a minute."), true);
}

function understood({ status, body }) {
  if (status === 200 && body) return body;
  if (status === 413) throw new PhotoProblem(body?.error ?? say("This photo is too large to send."), false);
  const sentence = body?.error ?? say("Kibitz answered with an error ({status}).", { status });
  throw new PhotoProblem(sentence, status >= 500);
}

function post(url, photo, choice, onProgress) {
  return new Promise((resolve, reject) => {
    const form = new FormData();
    form.append("set", choice.set);
    form.append("copies", String(choice.copies));
    form.append("photo", photo.blob, photo.name);
    const request = new XMLHttpRequest(); // fetch cannot tell how much has been sent
    request.open("POST", url);
    request.upload.onprogress = (event) => event.lengthComputable && onProgress({ sent: event.loaded / event.total });
    request.upload.onload = () => onProgress({ reading: true });
    request.onload = () =>
      resolve({
        status: request.status,
        body: parsed(request.responseText),
        retryAfter: Number(request.getResponseHeader("Retry-After")) || 2,
      });
    request.onerror = () => reject(new PhotoProblem(NO_ANSWER, true));
    request.send(form);
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
