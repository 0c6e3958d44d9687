import { ALL, borne, edit, failing, LIST, listless, type Mode, RELATIONS, refused, rewrite, taken } from "./mode.ts";

const shapeless = { code: 6, says: /^the upstream's shape has changed: / };
const unlisted = { code: 6, says: /gave no hero list \(wrong-(shape|envelope): / };
const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`;
/** A field more in the first record. */
const extra = (json: string) => rewrite((text) => text.replace('{"data":{', `{"data":{"more":${json},`));

/** What is no JSON, or no answer of the service. */
export const BODIES: Mode[] = [
  failing("empty-body", "not-json", ({ send }) => send("")),
  failing("html-with-200", "not-json", ({ send }) => send("<html>Sorry</html>")),
  failing("html-and-says-so", "wrong-type", ({ send }) => send("<html>Sorry</html>", { "content-type": "text/html" })),
  failing("type-missing", "wrong-type", ({ send, honest }) => send(honest, { "content-type": "" })),
  failing(
    "cut-short",
    "not-json",
    rewrite((text) => text.slice(0, -5)),
  ),
  failing(
    "more-behind-it",
    "not-json",
    rewrite((text) => `${text}{}`),
  ),
  failing("utf-16", "not-json", ({ send, honest }) => send(Buffer.from(honest.toString(), "utf16le"))),
  failing("bytes-that-are-no-utf-8", "not-json", ({ send, honest }) =>
    send(Buffer.concat([honest.subarray(0, -2), Buffer.from([0xff, 0xfe])])),
  ),
  failing("literal-nan", "not-json", extra("NaN")),
  refused(
    "code-500",
    edit((page) => Object.assign(page, { code: 500, data: null })),
  ),
  failing(
    "code-is-text",
    "wrong-envelope",
    edit((page) => Object.assign(page, { code: "0" })),
    shapeless,
  ),
  failing(
    "data-null",
    "wrong-envelope",
    edit((page) => Object.assign(page, { data: null })),
    shapeless,
  ),
  failing("null", "wrong-envelope", ({ send }) => send("null"), shapeless),
  failing(
    "records-object",
    "wrong-envelope",
    edit((page) => Object.assign(page.data, { records: {} })),
    shapeless,
  ),
  failing(
    "records-of-nothing",
    "wrong-shape",
    edit((page) => Object.assign(page.data, { records: [null], total: 1 })),
    shapeless,
  ),
  failing(
    "total-is-text",
    "wrong-envelope",
    edit((page) => Object.assign(page.data, { total: "1" })),
    shapeless,
  ),
  failing(
    "total-negative",
    "wrong-envelope",
    edit((page) => Object.assign(page.data, { total: -1 })),
    shapeless,
  ),
  failing(
    "total-1e999",
    "wrong-envelope",
    rewrite((text) => text.replace(/"total":\d+/, '"total":1e999')),
    shapeless,
  ),
  failing(
    "another-hero",
    "wrong-subject",
    edit(({ data }) => Object.assign(data.records[0]?.data ?? {}, { main_heroid: 99 })),
  ),
  failing("nested-100000", "wrong-shape", extra(nested(100_000)), shapeless),
  failing("nested-100000-unclosed", "not-json", ({ send }) => send("[".repeat(100_000))),
  listless("list-nested-100000", "wrong-shape", extra(nested(100_000)), unlisted),
  listless(
    "hero-0",
    "wrong-shape",
    edit(({ data }) => Object.assign(data.records[0]?.data ?? {}, { hero_id: 0 })),
    unlisted,
  ),
  listless(
    "hero-2^53",
    "wrong-shape",
    edit(({ data }) => Object.assign(data.records[0]?.data ?? {}, { hero_id: 2 ** 53 })),
    unlisted,
  ),
  listless(
    "hero-without-a-name",
    "wrong-shape",
    rewrite((text) => text.replace(/"name":"[^"]*"/, '"name":7')),
    unlisted,
  ),
  taken("nested-800", extra(nested(800))),
  taken("digits-100000", extra("7".repeat(100_000))),
  taken("number-1e999", extra("1e999")),
  taken("proto", extra('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"x":1}}}')),
  taken("keys-10000", extra(`{${Array.from({ length: 10_000 }, (_, n) => `"k${n}":${n}`).join()}}`), { seconds: 15 }),
  taken("surrogate-alone", extra('"\\ud800"')),
  taken("nul-in-a-text", extra('"a\\u0000b"')),
  borne(
    "byte-order-mark",
    rewrite((text) => `\ufeff${text}`),
  ),
  borne(
    "white-space",
    rewrite((text) => ` \n\t\r ${text}${" ".repeat(100_000)}`),
  ),
  borne(
    "keys-twice-outside",
    rewrite((text) => `{"code":1,"data":{"records":[],"total":0},${text.slice(1)}`),
  ),
  borne(
    "keys-twice-inside",
    rewrite((text) => text.replace('"data":{"records":', '"data":{"records":[{"x":1}],"total":7,"records":')),
  ),
  borne(
    "keys-twice-believable",
    rewrite((text) => `{"data":${JSON.stringify(forge(text).data)},${text.slice(1)}`),
  ),
  borne(
    "keys-twice-escaped",
    rewrite((text) => `{"d\\u0061ta":${JSON.stringify(forge(text).data)},${text.slice(1)}`),
  ),
  borne(
    "keys-twice-in-a-record",
    rewrite((text) => text.replace('"main_heroid":', '"main_heroid":12345,"main_heroid":')),
  ),
  taken(
    "name-with-escapes",
    rewrite((text) => text.replaceAll("Miya", "\\u001b]0;x\\u0007Mi\\u202eya")),
    { at: ALL },
  ),
  taken(
    "name-with-nul-and-surrogate",
    rewrite((text) => text.replaceAll("Miya", "Mi\\u0000ya\\ud800")),
    { at: ALL },
  ),
  taken(
    "renamed-hero",
    rewrite((text) => text.replaceAll('"Miya"', '"Miya Prime"')),
    { at: LIST },
  ),
  taken(
    "heroes-of-one-name",
    rewrite((text) => text.replaceAll(/"name":"[^"]*"/g, '"name":"Same"')),
    { at: LIST },
  ),
  taken(
    "lists-disagree",
    edit(({ data }, { path }) => {
      if (path.includes("lang=ja")) Object.assign(data, { records: data.records.slice(1), total: data.total - 1 });
    }),
    { at: LIST },
  ),
  taken(
    "hero-twice-in-the-list",
    edit(({ data }, { path }) => {
      if (!path.includes("size=1&")) data.records.push(...data.records.slice(0, 1));
      data.total += 1;
    }),
    { at: LIST },
  ),
  taken(
    "strangers-in-relations",
    rewrite((text) => text.replace(/\[\d+(,\d+)*\]/, "[999999,888888]")),
    { at: RELATIONS },
  ),
];

function forge(text: string) {
  return JSON.parse(text.replaceAll(/0\.\d+/g, "0.99")) as { data: unknown };
}
