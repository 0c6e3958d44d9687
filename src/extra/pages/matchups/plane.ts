import { hasScripts } from "../assets.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import type { Matrix } from "./matrix.ts";

/** The largest side of a cell, and the room for the names of groups, as the script has them. */
const [CELL, MARGIN] = [24, 20];

/** Values that a script of the page fills in. Until then, names in braces stand for them. */
const LATER = {
  ...{ hero: "{hero}", other: "{other}", points: "{points}" },
  ...{ row: "{row}", column: "{column}", count: "{count}" },
};

/** All that stands around the picture, and its place; a script paints it from the CSV. */
export function matrixPlane(
  { messages, figures, facts }: PageContext,
  matrix: Matrix,
  played: "against" | "with",
  source: string,
): Html | undefined {
  if (!hasScripts()) return undefined;
  const { matrix: words } = messages.pairs;
  const { writePoints } = figures;
  const roles = Object.fromEntries(facts.roles.map(({ value, label }) => [value, label]));
  const count = matrix.heroes.length;
  const [limit, side] = [limitOf(matrix), MARGIN + CELL * count];
  return html`<section id="matrix" class="matrix" data-source="${source}" data-roles="${JSON.stringify(roles)}" data-limit="${limit}" data-known="${words.known[played](LATER)}" data-unknown="${words.unknown[played](LATER)}" data-all="${words.all(LATER)}" data-failed="${words.failed}"><h2>${words.heading}</h2>
<p id="matrix-help">${words.help[played]} <span class="keys">${words.keys}</span></p>
<p class="legend" dir="ltr"><span>${words.low({ points: writePoints(-limit) })}</span><span class="scale" aria-hidden="true"></span><span>${words.high({ points: writePoints(limit) })}</span><span>${words.dot}</span></p>
<div class="told"><p class="words" aria-live="polite"></p><p class="all"></p></div>
<div class="wide" role="application" dir="ltr" tabindex="0" aria-label="${words.label[played]({ heroes: count })}" aria-describedby="matrix-help"><svg class="room" viewBox="0 0 1 1" width="${side}" height="${side}" aria-hidden="true"></svg><div class="plane"><canvas width="0" height="0" aria-hidden="true"></canvas><div class="row"></div><div class="column"></div><div class="cell"></div></div></div>
</section>`;
}

/** Returns the points at which the colours end, in half points: a few values are far from all others. */
function limitOf({ rows }: Matrix): number {
  // An array of numbers alone is sorted without a call for each pair.
  const sizes = Float64Array.from(
    rows.values().flatMap((row) => row.values()),
    Math.abs,
  ).sort();
  return Math.max(1, Math.ceil(200 * (sizes[Math.floor(0.98 * sizes.length)] ?? 0))) / 200;
}
