// Sentences in the page's language: a template from the catalogue, filled with values. Without a catalogue they are English.

export const language = document.documentElement.lang || "en";
const address = document.documentElement.dataset.words;
const catalogue = address ? await fetch(address).then((answer) => answer.json()).catch(() => ({})) : {};
const plurals = new Intl.PluralRules(language);

/** A sentence: `say("{name} leads.", { name })`; a value whose name begins with a capital letter begins with one, too. */
export function say(template, values = {}) {
  return filled(catalogue[template] ?? template, values);
}

/** A sentence about so many: `count(3, "{number} tile", "{number} tiles")`. */
export function count(number, one, many, values = {}) {
  const [single, several] = catalogue[one] ?? [one, many];
  return filled(plurals.select(number) === "one" ? single : several, { number, ...values });
}

/** Things in a sentence: "a, b and c". */
export function listed(things) {
  const [first, last] = [things.slice(0, -1), things.at(-1)];
  return first.length ? say("{things} and {last}", { things: first.join(", "), last }) : String(last ?? "");
}

/** A number with so many digits after the point, which some write as a comma. */
export function decimal(number, digits = 1) {
  return number.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

function filled(template, values) {
  return template.replace(/\{(\w+)\}/g, (_, name) => (/^[A-Z]/.test(name) ? capital(String(values[name])) : String(values[name])));
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
