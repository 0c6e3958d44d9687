import { type Injector, send, withBody } from "./exchange.ts";
import { type Knobs, numberKnob, textKnob } from "./faults.ts";
import { digitsOf, find, isFields, type Page, type Place, parsePage } from "./json.ts";

/** Changes the page in place; false when there is nothing to change. */
type Edit = (page: Page, knobs: Knobs) => boolean;

const edit =
  (change: Edit, finish: (text: string, knobs: Knobs) => string = (text) => text): Injector =>
  async (exchange, knobs) => {
    const answer = await exchange.fetch();
    const page = answer.status === 200 ? parsePage(answer.body) : undefined;
    if (!page || !change(page, knobs)) return undefined;
    const body = Buffer.from(finish(JSON.stringify(page.root), knobs));
    return () => send(exchange, withBody(answer, body));
  };

/** What records are known by; the first of them that a record has is the field to spoil. */
const REQUIRED = [
  "data.main_hero.data.name",
  "data.hero.data.name",
  "data.main_heroid",
  "data.hero_id",
  "data.game_version",
];
const TYPED = ["data.main_hero_win_rate", "data.main_heroid", "data.hero_id", "data.game_version"];

/** Spoils a field of the first record, or of all. */
const spoil = (candidates: readonly string[], change: (place: Place) => boolean) =>
  edit(({ records }, knobs) => {
    const paths = knobs.path === undefined ? candidates : [textKnob(knobs, "path", "")];
    const spoiled = records.slice(0, knobs.all === true ? undefined : 1).map((record) => {
      const place = paths.map((path) => find(record, path)).find((found) => found !== undefined);
      return place !== undefined && change(place);
    });
    return spoiled.includes(true);
  });

function remove({ holder, name }: Place): boolean {
  return delete holder[name];
}

function nullify({ holder, name }: Place): boolean {
  holder[name] = null;
  return true;
}

function retype({ holder, name }: Place): boolean {
  const value = holder[name];
  const digits = digitsOf(value);
  if (digits === undefined && typeof value !== "string") return false;
  holder[name] = digits ?? (Number(value) || 0);
  return true;
}

/** Gives fields of the first record the values that are made from their old ones. */
const alter = (paths: readonly string[], change: (old: unknown, knobs: Knobs) => unknown) =>
  edit(({ records }, knobs) => {
    const places = paths.map((path) => find(records[0], path)).filter((place) => place !== undefined);
    for (const { holder, name } of places) holder[name] = change(holder[name], knobs);
    return places.length > 0;
  });

const addToTotal = (sign: 1 | -1, by: number) =>
  edit(({ data }, knobs) => {
    const total = digitsOf(data.total);
    data.total = Number(total) + sign * numberKnob(knobs, "by", by);
    return total !== undefined;
  });

const UNKNOWN = { nested: { list: [1, "two", { three: null }], text: "not in any specification" }, flag: true };
const DEEP = "(deep)";

function addUnknown(record: unknown): boolean {
  if (!isFields(record)) return false;
  for (const holder of [record, record.data]) if (isFields(holder)) holder.unknown_field = UNKNOWN;
  return true;
}

function nest(depth: number): string {
  return `${'{"deeper":'.repeat(depth)}null${"}".repeat(depth)}`;
}

/** A byte that UTF-8 has no use for, at the start of a string: the first in a record where there are records. */
function breakString(body: Buffer): Buffer | undefined {
  const text = body.toString("latin1");
  const string = /":\s*"/g;
  string.lastIndex = Math.max(0, text.indexOf('"records"'));
  const at = string.test(text) ? string.lastIndex : -1;
  return at < 0 ? undefined : Buffer.concat([body.subarray(0, at), Buffer.of(0xff), body.subarray(at)]);
}

export const BODIES = {
  "missing-field": spoil(REQUIRED, remove),
  "null-field": spoil(REQUIRED, nullify),
  "retyped-field": spoil(TYPED, retype),
  "extra-field": edit(({ records }) => records.map(addUnknown).includes(true)),
  // Written into the text: the serialiser must not be asked to go that deep.
  "deep-json": edit(
    ({ root, records: [first] }, knobs) => {
      const holder = textKnob(knobs, "at", "record") === "record" ? first : root;
      if (isFields(holder)) holder.unknown_field = DEEP;
      return isFields(holder);
    },
    (text, knobs) => text.replace(JSON.stringify(DEEP), nest(numberKnob(knobs, "depth", 5000))),
  ),
  "wrong-hero": alter(["data.main_heroid", "data.hero_id", "data.hero.data.heroid"], (old, knobs) =>
    numberKnob(knobs, "hero", Number(digitsOf(old)) + 1),
  ),
  "wrong-rank": alter(["data.bigrank"], (old, knobs) => textKnob(knobs, "bigrank", old === "101" ? "9" : "101")),
  "wrong-side": alter(["data.match_type"], (old) => (old === "0" ? "1" : "0")),
  "repeated-record": edit(({ records }) => {
    if (records.length < 2) return false;
    records[1] = records[0];
    return true;
  }),
  "empty-records": edit(({ records }) => records.splice(0).length > 0),
  "empty-answer": edit(({ records, data }) => {
    if (records.length === 0) return false;
    records.length = 0;
    data.total = 0;
    return true;
  }),
  "total-large": addToTotal(1, 7),
  "total-small": addToTotal(-1, 1),
  "byte-order-mark": async (exchange) => {
    const answer = await exchange.fetch();
    return () => send(exchange, withBody(answer, Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), answer.body])));
  },
  "invalid-utf8": async (exchange) => {
    const answer = await exchange.fetch();
    const body = breakString(answer.body);
    return body && (() => send(exchange, withBody(answer, body)));
  },
} satisfies Record<string, Injector>;
