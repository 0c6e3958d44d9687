import { type Act, edit, type Fields, half, pageOf, placeOf, replaceIn, resend, same } from "./encounter.ts";
import {
  AT_ALL,
  AT_COUNTERS,
  AT_EMBLEMS,
  AT_LIST,
  AT_RANK,
  AT_RELATIONS,
  borne,
  failing,
  lacking,
  listless,
  meeting,
  taken,
} from "./row.ts";

const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
/** One more field in the first record. */
const extra = (json: string) => replaceIn(/\{"data":\{/, `{"data":{"more":${json},`);
const instead = (text: string) => resend(() => text);
const as = (type: string) => resend(same, { "content-type": type });

type Spoil = (holder: Fields, name: string) => unknown;

/** Changes the first of these fields that the first record has. */
const spoil = (paths: readonly string[], change: Spoil) =>
  edit(({ data }) => {
    const place = paths.map((path) => placeOf(data.records[0], path)).find((found) => found !== undefined);
    return place !== undefined && change(place.holder, place.name);
  });

/** Changes those of these fields that records have. */
const change = (paths: readonly string[], make: Spoil, isMeant = (_: unknown, at: number): boolean => at === 0) =>
  edit(({ data }) => {
    const places = data.records
      .filter(isMeant)
      .flatMap((record) => paths.flatMap((path) => placeOf(record, path) ?? []));
    for (const { holder, name } of places) make(holder, name);
    return places.length > 0;
  });

const remove: Spoil = (holder, name) => delete holder[name];
const put =
  (value: unknown): Spoil =>
  (holder, name) => {
    holder[name] = typeof value === "function" ? value(holder[name]) : value;
  };
const retype = put((value: unknown) => (typeof value === "number" ? String(value) : Number(value) || 0));
const next = put((id: unknown) => Number(id) + 1);
const otherRank = put((rank: string) => (rank === "101" ? "9" : "101"));
const otherSide = put((side: string) => (side === "0" ? "1" : "0"));

/** The fields that records are known by. */
const IDS = ["data.main_heroid", "data.hero_id", "data.hero.data.heroid"];
const NAMES = ["data.main_hero.data.name", "data.hero.data.name", ...IDS, "data.game_version"];
const NUMBERS = ["data.main_hero_ban_rate", ...NAMES];
const ODD = { reasons: ["wrong-shape", "odd"] } as const;

const assign = (fields: object) => edit((page) => Object.assign(page, fields));
const assignData = (fields: object) => edit(({ data }) => Object.assign(data, fields));
const add = (more: number) =>
  edit(({ data }) => {
    data.total += more;
  });
const repeat = edit(({ data: { records } }) => {
  if (!records[0] || !records[1]) return false;
  records[1] = records[0];
});

/** The same list with other rates, and a key in front of it. */
const forge =
  (key: string): Act =>
  ({ honest, send }) => {
    const text = honest.body.toString();
    const forged = pageOf({ ...honest, body: Buffer.from(text.replaceAll(/0\.\d+/g, "0.99")) });
    return forged ? send(`{"${key}":${JSON.stringify(forged.data)},${text.slice(1)}`) : false;
  };

const utf16 = (body: Buffer) => Buffer.from(body.toString(), "utf16le");
const breakString: Act = ({ honest: { body }, send }) => {
  const at = body.indexOf('":"', Math.max(0, body.indexOf('"records"'))) + 3;
  return at < 3 ? false : send(Buffer.concat([body.subarray(0, at), Buffer.of(0xff), body.subarray(at)]));
};
const clear = edit(({ data }) => data.records.splice(0).length > 0);
const clearAll = edit(({ data }) => data.records.splice(0).length > 0 && Object.assign(data, { total: 0 }));
const grow = edit(({ data: { records } }) => {
  for (const record of records) Object.assign(record, UNKNOWN).data = Object.assign({}, record.data, UNKNOWN);
  return records.length > 0;
});
const shrink = edit(({ data }, { path }) => {
  if (!path.includes("lang=ja")) return false;
  Object.assign(data, { records: data.records.slice(1), total: data.total - 1 });
});
const double = edit(({ data }, { path }) => {
  if (!path.includes("size=1&")) data.records.push(...data.records.slice(0, 1));
  data.total += 1;
});

const UNKNOWN = { unknown_field: { list: [1, "two", { three: null }], text: "not in any specification" } };
const KEYS = Array.from({ length: 10_000 }, (_, n) => `"k${n}":${n}`).join();
const every = () => true;

/** Bodies that are no JSON, or not what the service answers. */
export const BODIES = {
  "empty-body": failing("not-json", "no body", instead("")),
  "html-as-json": failing("not-json", "a page as JSON", instead("<html>Sorry</html>")),
  "wrong-type": failing("wrong-type", "the right body as text", as("text/plain")),
  "no-type": failing("wrong-type", "the right body as nothing", as("")),
  "truncated-json": failing("not-json", "half of the body", resend(half)),
  "more-behind": failing("not-json", "the right body, and {}", replaceIn(/$/, "{}")),
  "utf-16": failing("not-json", "the right body in UTF-16", resend(utf16)),
  "invalid-utf8": failing("not-json", "a byte in a string that is not UTF-8", breakString),
  "literal-nan": failing("not-json", "NaN as a value", extra("NaN")),
  "nested-unclosed": failing("not-json", "100,000 brackets that open", instead("[".repeat(100_000))),
  nested: failing("wrong-shape", "a value of 100,000 levels", extra(nested(100_000))),
  null: failing("wrong-envelope", "null", instead("null")),
  "code-is-text": failing("wrong-envelope", "a code that is a text", assign({ code: "0" })),
  "code-gone": failing("wrong-envelope", "no code", replaceIn(/"code":0,/, "")),
  "data-null": failing("wrong-envelope", "no data", assign({ data: null })),
  "records-null": failing("wrong-envelope", "null in place of the records", assignData({ records: null })),
  "records-object": failing("wrong-envelope", "an object in place of the records", assignData({ records: {} })),
  "total-is-text": failing("wrong-envelope", "a total that is a text", assignData({ total: "1" })),
  "total-negative": failing("wrong-envelope", "a total of -1", assignData({ total: -1 })),
  "total-infinite": failing("wrong-envelope", "a total of 1e999", replaceIn(/"total":\d+/, '"total":1e999')),
  "total-of-15-digits": failing("oversized", "a total of 10^15", assignData({ total: 1e15 })),
  "total-large": failing("wrong-total", "a total that is too large", add(7)),
  "total-small": taken("a total that is too small, each time by as much", add(-1), { reasons: ["wrong-total"] }),
  "no-records": failing("wrong-total", "no records under the true total", clear),
  "record-null": failing("wrong-shape", "a record that is null", assignData({ records: [null], total: 1 })),
  "no-subject": failing("wrong-shape", "records of nobody", change(["data.main_heroid"], remove, every)),
  "missing-field": taken("the first record without its name", spoil(NAMES, remove), ODD),
  "null-field": taken("the first record with null as its name", spoil(NAMES, put(null)), ODD),
  "retyped-field": taken("a number of the first record as a text, or the reverse", spoil(NUMBERS, retype), ODD),
  "wrong-hero": failing("wrong-subject", "the first record of another hero", change(IDS, next)),
  "wrong-rank": failing("wrong-subject", "the first record of another rank", change(["data.bigrank"], otherRank)),
  "message-gone": borne("no message", replaceIn(/"message":"[^"]*",/, "")),
  "message-null": borne("null as a message", assign({ message: null })),
  "message-number": borne("a number of 1e400 as a message", replaceIn(/"message":"[^"]*"/, '"message":1e400')),
  "byte-order-mark": borne("the right body behind a mark", replaceIn(/^/, "\ufeff")),
  "white-space": borne("the right body in white space", replaceIn(/^(.*)$/s, ` \n\t\r $1${" ".repeat(100_000)}`)),
  "keys-twice": borne("other keys, and then the right ones", replaceIn(/^\{/, '{"code":1,"data":{},')),
  "keys-twice-inside": borne(
    "other records, and then the right ones",
    replaceIn(/(?="records":)/, '"records":[{"x":1}],'),
  ),
  "keys-twice-believable": borne("other rates, and then the right ones", forge("data")),
  "keys-twice-escaped": borne("other rates under an escaped key, and then the right ones", forge("d\\u0061ta")),
  "keys-twice-in-a-record": borne(
    "another hero, and then the right one",
    replaceIn(/"main_heroid":/, '"main_heroid":12345,$&'),
  ),
  "unknown-fields": taken("fields in each record that nobody knows", grow),
  "nested-800": taken("a value of 800 levels", extra(nested(800))),
  "digits-100000": taken("a number of 100,000 digits", extra("7".repeat(100_000))),
  "number-infinite": taken("a number of 1e999", extra("1e999")),
  prototype: taken("keys of JavaScript", extra('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}')),
  "keys-10000": taken("10,000 unknown keys", extra(`{${KEYS}}`), { seconds: 15 }),
  "surrogate-alone": taken("half a character", extra('"\\ud800"')),
  "nul-in-a-text": taken("a text with a NUL", extra('"a\\u0000b"')),
  ...meeting(AT_ALL, {
    "name-with-escapes": taken("a name that steers a terminal", replaceIn(/Miya/g, "\\u001b]0;x\\u0007Mi\\u202eya")),
    "name-with-nul": taken("a name with a NUL and half a character", replaceIn(/Miya/g, "Mi\\u0000ya\\ud800")),
  }),
  ...meeting(AT_LIST, {
    "renamed-hero": taken("another name in the list", replaceIn(/"Miya"/g, '"Miya Prime"')),
    "heroes-of-one-name": taken("one name for all heroes", replaceIn(/"name":"[^"]*"/g, '"name":"Same"')),
    "lists-that-disagree": taken("a hero less in one language", shrink),
    "hero-twice": taken("a hero twice in the list", double),
    "list-nested": listless(6, "wrong-shape", "a hero with a value of 100,000 levels", extra(nested(100_000))),
    "hero-0": listless(6, "wrong-shape", "a hero with the number 0", change(["data.hero_id"], put(0))),
    "hero-2^53": listless(6, "wrong-shape", "a hero with the number 2^53", change(["data.hero_id"], put(2 ** 53))),
    "hero-without-a-name": listless(6, "wrong-shape", "a hero named 7", replaceIn(/"name":"[^"]*"/, '"name":7')),
    "heroes-without-ids": listless(6, "wrong-shape", "heroes without numbers", change(["data.hero_id"], remove, every)),
  }),
  ...meeting(AT_RELATIONS, {
    "strangers-in-relations": taken("relations with strangers", replaceIn(/\[\d+(,\d+)*\]/, "[999999,888888]")),
  }),
  ...meeting(AT_RANK, {
    "rates-retyped": lacking("wrong-shape", "texts as rates", change(["data.main_hero_win_rate"], retype, every)),
    "repeated-record": taken("the first record in place of the second", repeat, { reasons: ["odd"] }),
  }),
  ...meeting(AT_EMBLEMS, { "empty-answer": failing("empty", "no records, and a total of 0", clearAll) }),
  ...meeting(AT_COUNTERS, {
    "wrong-side": failing(
      "wrong-subject",
      "the first record of the other side",
      change(["data.match_type"], otherSide),
    ),
  }),
};
