// The score sheet as a value: players, rounds, and who leads. Nothing here draws or stores.
//
// A sheet: { players: [{ id, name }], rounds: [{ [player id]: points }], lowWins, next }; `next` numbers new players.

import { listed, say } from "../parts/words.js";

export const EMPTY_SHEET = { players: [], rounds: [], lowWins: true, next: 1 };
export const LONGEST_NAME = 24;
export const MOST_PLAYERS = 12;
export const MOST_POINTS = 99999;

/** A name as it is written down; empty where nothing is left of it. */
export function cleanName(text) {
  return text.replace(/\s+/g, " ").trim().slice(0, LONGEST_NAME);
}

/** Points as typed: a whole number, null for an empty cell, undefined for anything else. */
export function parsePoints(text) {
  const plain = text.trim().replace("\u2212", "-");
  if (plain === "") return null;
  if (!/^[+-]?\d{1,5}$/.test(plain)) return undefined;
  return Number(plain);
}

export function withPlayer(sheet, name) {
  return { ...sheet, players: [...sheet.players, { id: sheet.next, name }], next: sheet.next + 1 };
}

export function withName(sheet, id, name) {
  return { ...sheet, players: sheet.players.map((player) => (player.id === id ? { ...player, name } : player)) };
}

export function withoutPlayer(sheet, id) {
  const rounds = sheet.rounds.map(({ [id]: _gone, ...others }) => others);
  return { ...sheet, players: sheet.players.filter((player) => player.id !== id), rounds: trimmed(rounds) };
}

/** The sheet with the points of one player in one round; null empties the cell. */
export function withPoints(sheet, round, id, points) {
  const rounds = Array.from({ length: Math.max(sheet.rounds.length, round + 1) }, (_, index) => ({ ...(sheet.rounds[index] ?? {}) }));
  if (points === null) delete rounds[round][id];
  else rounds[round][id] = points;
  return { ...sheet, rounds: trimmed(rounds) };
}

function trimmed(rounds) {
  const last = rounds.findLastIndex((round) => Object.keys(round).length > 0);
  return rounds.slice(0, last + 1);
}

export function withNewGame(sheet) {
  return { ...sheet, rounds: [] };
}

export function totalOf(sheet, id) {
  return sheet.rounds.reduce((sum, round) => sum + (round[id] ?? 0), 0);
}

/** The first round in which the player has no points yet, counted from 0. */
export function nextRound(sheet, id) {
  const index = sheet.rounds.findIndex((round) => round[id] === undefined);
  return index < 0 ? sheet.rounds.length : index;
}

/** The rounds that count for who leads: all but a last one that somebody has no points in yet. */
export function fullRounds(sheet) {
  const last = sheet.rounds.at(-1);
  const open = last && sheet.players.some(({ id }) => last[id] === undefined);
  return open ? sheet.rounds.slice(0, -1) : sheet.rounds;
}

/** The players who lead after the last full round; none before it, or alone at the table. */
export function leaders(sheet) {
  const standing = { ...sheet, rounds: fullRounds(sheet) };
  if (sheet.players.length < 2 || standing.rounds.length === 0) return [];
  const totals = sheet.players.map((player) => totalOf(standing, player.id));
  const best = sheet.lowWins ? Math.min(...totals) : Math.max(...totals);
  return sheet.players.filter((_, index) => totals[index] === best);
}

/** Who leads, as a sentence; empty where nobody does. */
export function leaderWords(sheet) {
  const names = leaders(sheet).map((player) => player.name);
  if (!names.length) return "";
  const rounds = fullRounds(sheet);
  const points = totalOf({ ...sheet, rounds }, leaders(sheet)[0].id);
  const told = { names: listed(names), points, round: rounds.length };
  const unfinished = rounds.length < sheet.rounds.length;
  if (names.length === sheet.players.length) return unfinished ? say("All level with {points} after round {round}.", told) : say("All level with {points}.", told);
  if (names.length === 1) return unfinished ? say("{names} leads with {points} after round {round}.", told) : say("{names} leads with {points}.", told);
  return unfinished ? say("{names} lead with {points} after round {round}.", told) : say("{names} lead with {points}.", told);
}

/** The sheet as a text for a message. */
export function sheetText(sheet) {
  const lines = sheet.players.map((player) => {
    const points = sheet.rounds.map((round) => round[player.id] ?? "-").join(" ");
    return `${player.name}: ${totalOf(sheet, player.id)}${points ? ` (${points})` : ""}`;
  });
  return [leaderWords(sheet), ...lines].filter(Boolean).join("\n");
}

const isPoints = (value) => Number.isInteger(value) && Math.abs(value) <= MOST_POINTS;

/** A sheet that was kept, as far as it makes sense. */
export function checkedSheet(kept) {
  const players = (Array.isArray(kept?.players) ? kept.players : [])
    .filter((player) => Number.isInteger(player?.id) && typeof player.name === "string" && cleanName(player.name))
    .slice(0, MOST_PLAYERS)
    .map(({ id, name }) => ({ id, name: cleanName(name) }));
  const rounds = (Array.isArray(kept?.rounds) ? kept.rounds : []).map((round) =>
    Object.fromEntries(players.filter(({ id }) => isPoints(round?.[id])).map(({ id }) => [id, round[id]])));
  const next = Math.max(0, ...players.map((player) => player.id)) + 1;
  return { players, rounds: trimmed(rounds), lowWins: kept?.lowWins !== false, next };
}
