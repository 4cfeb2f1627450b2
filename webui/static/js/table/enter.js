// Entering a play by hand: choose what was done, then the tile, then where it lies. Nothing covers the table meanwhile.

import { el, redraw } from "../parts/dom.js";
import { drawTile } from "../parts/tile.js";
import { say } from "../parts/words.js";
import { drawChance } from "./chance.js";
import { alike, name, same, tilePicker } from "./picker.js";
import { ask } from "./send.js";

const CLOSED = { open: false, editing: null, tile: null, places: [], spot: null, ghost: 0, tiles: [], mending: null, numbers: [], starter: 0, problem: "" };

const UNHEARD = say("Kibitz cannot be reached.");

function spotKey(place) {
  return `${place.seat ?? ""}:${place.x}:${place.y}:${place.turn % 180}`;
}

/**
 * The state of entering. `now` gives the table, `places` the address that lists where a tile goes, `entry` that of an
 * old entry's choices, `deed` does something and gives a sentence where it fails, `changed` redraws, `placed` hears that
 * places for a tile are drawn.
 */
export function createEntry({ now, places, entry, deed, changed, placed }) {
  let state = { ...CLOSED };
  let drawn = null; // the shape of line that is shown
  const set = (change) => {
    state = { ...state, ...change };
    changed();
  };

  async function done(what) {
    const problem = await deed(what);
    if (problem) set({ problem });
    else set({ ...CLOSED, open: state.open && state.editing === null && what.do !== "edit" });
  }

  function marks() {
    return state.places.filter((place) => place.x !== undefined || place.shapes);
  }

  const self = {
    get open() {
      return state.open;
    },
    get editing() {
      return state.editing !== null;
    },
    /** The places that may be tapped, in the shape of line that is shown. */
    spots(shape) {
      drawn = shape;
      if (!state.open || state.editing) return [];
      const byKey = new Map();
      for (const mark of marks()) {
        const place = mark.shapes ? mark.shapes[shape] : mark;
        if (!place) continue;
        const key = spotKey(place);
        const known = byKey.get(key);
        if (known) known.actions.push(mark);
        else byKey.set(key, { words: mark.words, ...place, spot: key, actions: [mark] });
      }
      const numbered = byKey.size > 1 && Boolean(shape);
      return [...byKey.values()].map((spot, at) => ({ ...spot, number: numbered ? at + 1 : null }));
    },
    /** The tile as it would lie at the place that was tapped. */
    ghost(spots) {
      const spot = spots.find((one) => one.spot === state.spot);
      if (!spot) return null;
      const mark = spot.actions[state.ghost % spot.actions.length];
      return mark.shapes ? { ...spot, ends: spot.ends } : { ...mark };
    },
    pick(spot) {
      const lineGame = Boolean(spot.actions[0].shapes);
      if (lineGame && spot.actions.length === 1) done({ do: "action", action: spot.actions[0].action });
      else set({ spot: spot.spot, ghost: state.spot === spot.spot ? state.ghost + 1 : 0 });
    },
    act(action) {
      done({ do: "action", action });
    },
    start() {
      set({ ...state, open: true });
    },
    /** Takes that tile to be the one that is played, where it can be. */
    choose(tile) {
      const played = now().wanted ? null : now().tiles.find((one) => alike(one, tile));
      if (played) choose(played);
    },
    /** Closes; the tiles that were chosen for a deal stay chosen. */
    stop() {
      set(state.editing ? { ...CLOSED } : { ...CLOSED, tiles: state.tiles, starter: state.starter });
    },
    /** Opens an old entry for changing. */
    async edit(old) {
      set({ ...CLOSED, open: true, editing: { ...old, choices: null } });
      const told = await ask(`${entry}${old.number}`);
      if (state.editing?.number !== old.number) return;
      if (!told) return set({ problem: UNHEARD });
      const { choices, wanted } = told;
      set({ editing: { ...old, choices, wanted }, tiles: wanted?.told ?? [], starter: wanted?.starter ?? 0 });
    },
    /** Something was entered: what was begun may not fit any more. */
    refresh(table) {
      if (state.editing) {
        const { number, time } = state.editing;
        if (!table.history.some((one) => one.number === number && one.time === time && !one.undone)) self.stop();
        return;
      }
      const tiles = state.tiles.filter((tile) => table.wanted?.tiles.some((one) => alike(one, tile)));
      state = { ...state, tiles, mending: null, numbers: [], starter: table.wanted?.starters?.[state.starter] ? state.starter : 0 };
      const still = state.tile && table.tiles.some((tile) => same(tile, state.tile));
      if (!still) state = { ...state, tile: null, places: [], spot: null, problem: "" };
      else choose(state.tile);
    },
    draw(place) {
      const parts = !state.open ? [] : state.editing ? editor() : panel(now());
      place.hidden = parts.length === 0;
      redraw(place, ...parts);
    },
  };

  async function choose(tile) {
    set({ tile, places: [], spot: null, ghost: 0, problem: "" });
    const told = await ask(`${places}?tile=${tile.join("-")}`);
    if (!same(state.tile, tile)) return;
    set(told ? { places: told.places } : { problem: UNHEARD });
    placed();
  }

  function head(words) {
    return el("h2", { id: "entry-title", tabindex: -1, "data-key": "entry-title" }, words);
  }

  function problem() {
    return state.problem ? el("p", { class: "problem", role: "alert" }, state.problem) : null;
  }

  function panel(table) {
    if (table.wanted) return [head(table.wanted.words), ...chance(table.wanted), problem()];
    const mover = table.turn === null ? null : table.players[table.turn].name;
    if (mover === null) return [head(say("The game is over")), el("p", { class: "quiet" }, say("The history can still be put right."))];
    if (state.tile) return [chosenTile(), problem(), placeButtons()];
    const parts = [head(mover), problem()];
    const bought = new Set(table.market.map((slot) => slot.action));
    const called = ({ action, kind }) => table.calls.some((call) => call.action === action) || (table.calls.length > 0 && kind === "skip");
    const choices = table.choices.filter((choice) => !bought.has(choice.action) && !called(choice));
    if (!state.problem && table.choices.length && !choices.length && !bought.size && !table.tiles.length) return []; // they have a card of their own
    if (table.choices.some((choice) => bought.has(choice.action))) parts.push(el("p", { class: "quiet" }, say("Tap a tile of the market, or:")));
    if (choices.length) {
      parts.push(el("div", { class: "answers" }, ...choices.map((choice) => el("button", { class: "button", type: "button", "data-key": `choice-${choice.action}`, onclick: () => self.act(choice.action) }, choice.words))));
    }
    if (table.tiles.length) {
      parts.push(el("p", { class: "quiet" }, say("Which tile was played?")));
      parts.push(tilePicker(table.tiles, () => false, choose));
    }
    return parts;
  }

  /** The tile that was chosen, in one row: what is needed now is the table. */
  function chosenTile() {
    const other = () => set({ tile: null, places: [], spot: null, problem: "" });
    const words = state.spot ? say("Like this?") : say("Where does it lie?");
    return el(
      "div",
      { class: "dock-head", "data-key": "chosen-tile" },
      el("span", { class: "chosen-one" }, drawTile(state.tile)),
      el("h2", { id: "entry-title", tabindex: -1, "data-key": "entry-title", "aria-label": `${name(state.tile)}: ${words}` }, words),
      el("button", { class: "button", type: "button", "data-key": "tile-other", onclick: other }, say("Another tile")),
    );
  }

  function placeButtons() {
    const named = state.places.some((place) => place.shapes || place.x === undefined); // each has its words, and perhaps no place
    if (named) {
      const spots = self.spots(drawn);
      const words = (place) => place.shapes?.[drawn]?.words ?? place.words;
      const number = (place) => spots.find((spot) => spot.actions.includes(place))?.number ?? null;
      return el("div", { class: "answers" }, ...state.places.map((place) => el("button", { class: "button primary", type: "button", "data-key": `lay-${place.action}`, onclick: () => self.act(place.action) }, number(place) === null ? null : el("span", { class: "place-number", "aria-hidden": "true" }, String(number(place))), words(place))));
    }
    const spot = self.spots(null).find((one) => one.spot === state.spot);
    if (!spot) return null;
    const mark = spot.actions[state.ghost % spot.actions.length];
    return el(
      "div",
      { class: "answers" },
      el("button", { class: "button primary", type: "button", "data-key": `lay-${mark.action}`, onclick: () => self.act(mark.action) }, say("Lay it here")),
      spot.actions.length > 1 ? el("button", { class: "button", type: "button", "data-key": "turn", onclick: () => set({ ghost: state.ghost + 1 }) }, say("Turn it round")) : null,
    );
  }

  /** What is told of tiles, dice and coins that came by chance: now, or otherwise than an old entry has it. */
  function chance(wanted) {
    const tell = (tiles, numbers) => done({ do: "chance", tiles: tiles.map((tile) => tile.join("-")), starter: wanted.kind === "show" ? wanted.seat : state.starter, numbers, entry: state.editing?.number ?? null });
    return drawChance(wanted, state, { set, tell, camera: Boolean(now().camera) });
  }

  function editor() {
    const old = state.editing;
    const parts = [head(say("Change: {words}", { words: old.words })), problem()];
    if (old.choices === null) return [...parts, state.problem ? null : el("p", { class: "quiet" }, say("One moment."))];
    const edit = (action) => done({ do: "edit", number: old.number, action });
    parts.push(el("button", { class: "button", type: "button", "data-key": "strike", onclick: () => edit(null) }, say("It did not happen: strike it out")));
    if (old.wanted) return [...parts, ...chance(old.wanted)];
    const plain = old.choices.filter((choice) => !choice.tile.length);
    if (plain.length) parts.push(el("div", { class: "answers" }, ...plain.map((choice) => el("button", { class: "button", type: "button", "aria-pressed": String(choice.action === old.action), "data-key": `instead-${choice.action}`, onclick: () => edit(choice.action) }, choice.words))));
    const byTile = new Map();
    for (const choice of old.choices) if (choice.tile.length) byTile.set(name(choice.tile), [...(byTile.get(name(choice.tile)) ?? []), choice]);
    if (byTile.size) parts.push(tilePicker([...byTile.values()].map((choices) => choices[0].tile), (tile) => same(tile, state.tile), (tile) => set({ tile })));
    const chosen = state.tile ? byTile.get(name(state.tile)) ?? [] : [];
    if (chosen.length) parts.push(el("div", { class: "answers many" }, ...chosen.map((choice) => el("button", { class: "button", type: "button", "aria-pressed": String(choice.action === old.action), "data-key": `instead-${choice.action}`, onclick: () => edit(choice.action) }, choice.words))));
    return parts;
  }

  return self;
}
