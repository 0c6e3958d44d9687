import { expect, test } from "vitest";
import { setUpBench } from "../helpers/faulty-upstream/bench.ts";
import { BODIES as INJECTORS } from "../helpers/faulty-upstream/bodies.ts";
import type { FaultName } from "../helpers/faulty-upstream/faults.ts";
import { BODIES, list, ONE, RECORDS } from "../helpers/faulty-upstream/plain-target.ts";

const [FIRST = "", SECOND = "", THIRD = ""] = RECORDS;
const UNKNOWN = '{"nested":{"list":[1,"two",{"three":null}],"text":"not in any specification"},"flag":true}';

const { tried, meet, miss } = await setUpBench();

const withUnknown = (record: string) =>
  record
    .replace(/(\d)\},"rate"/, `$1,"unknown_field":${UNKNOWN}},"rate"`)
    .replace(/\}$/, `,"unknown_field":${UNKNOWN}}`);
const inOne = (from: string, to: string) => list([ONE.replace(from, to)]);
const inFirst = (from: string, to: string) => list([FIRST.replace(from, to), SECOND, THIRD]);

test.for([
  ["missing-field", "/list", {}, inFirst('"name":"Miya"', "")],
  ["missing-field", "/one", {}, inOne('"name":"Miya"', "")],
  ["missing-field", "/one", { path: "data.bigrank" }, inOne('"bigrank":"101",', "")],
  [
    "missing-field",
    "/list",
    { path: "rate", all: true },
    list(RECORDS.map((record) => record.replace(/"rate":[^,]+,/, ""))),
  ],
  ["null-field", "/list", {}, inFirst('"Miya"', "null")],
  ["null-field", "/one", { path: "data.main_heroid" }, inOne('"main_heroid":1', '"main_heroid":null')],
  ["retyped-field", "/list", {}, inFirst('"hero_id":1', '"hero_id":"1"')],
  ["retyped-field", "/one", {}, inOne("0.50", '"0.50"')],
  ["retyped-field", "/one", { path: "data.bigrank" }, inOne('"101"', "101")],
  ["retyped-field", "/one", { path: "data.main_hero.data.name" }, inOne('"Miya"', "0")],
  ["extra-field", "/list", {}, list(RECORDS.map(withUnknown))],
  ["deep-json", "/one", { depth: 2 }, inOne("0.50}", '0.50},"unknown_field":{"deeper":{"deeper":null}}')],
  ["deep-json", "/none", { depth: 1, at: "body" }, list([], 0).replace(/}$/, ',"unknown_field":{"deeper":null}}')],
  ["wrong-hero", "/list", {}, inFirst('"hero_id":1', '"hero_id":2')],
  ["wrong-hero", "/one", { hero: 77 }, inOne('"main_heroid":1', '"main_heroid":77')],
  ["wrong-rank", "/one", {}, inOne('"101"', '"9"')],
  ["wrong-rank", "/one", { bigrank: "5" }, inOne('"101"', '"5"')],
  ["wrong-side", "/one", {}, inOne('"match_type":"0"', '"match_type":"1"')],
  ["byte-order-mark", "/list", {}, `\ufeff${list(RECORDS)}`],
  ["repeated-record", "/list", {}, list([FIRST, FIRST, THIRD])],
  ["repeated-page", "/list?size=1&index=2", {}, BODIES["/list?size=1&index=1"] ?? ""],
  ["empty-records", "/list", {}, list([], 3)],
  ["empty-answer", "/list", {}, list([], 0)],
  ["total-large", "/list", {}, list(RECORDS, 10)],
  ["total-large", "/none", {}, list([], 7)],
  ["total-small", "/list", {}, list(RECORDS, 2)],
  ["total-small", "/list", { by: 2 }, list(RECORDS, 1)],
] as const)("%s on %s %j", async ([fault, path, knobs, body]) => {
  const raw = await meet(fault, path, knobs);
  expect(raw.body.toString()).toBe(body);
  expect(raw.status).toBe(200);
  expect(raw.header("content-type")).toBe("application/json");
  expect(raw.header("content-length")).toBe(String(raw.body.length));
});

test("deep-json is 5000 levels deep, and JSON", async () => {
  const { body } = await meet("deep-json");
  const { unknown_field: field, ...first } = JSON.parse(body.toString()).data.records[0];
  let depth = 0;
  for (let node = field; node !== null; node = node.deeper) depth += 1;
  expect(depth).toBe(5000);
  expect(first).toEqual(JSON.parse(FIRST));
});

test("invalid-utf8 is one byte too many, in the name of the first record", async () => {
  const { body } = await meet("invalid-utf8");
  expect(() => new TextDecoder("utf-8", { fatal: true }).decode(body)).toThrow();
  const at = body.indexOf(0xff);
  expect(body.subarray(0, at).toString()).toMatch(/"name":"$/);
  expect(Buffer.concat([body.subarray(0, at), body.subarray(at + 1)]).toString()).toBe(BODIES["/list"]);
});

test.for<[FaultName, string]>([
  ["missing-field", "/none"],
  ["extra-field", "/none"],
  ["deep-json", "/none"],
  ["empty-records", "/none"],
  ["empty-answer", "/none"],
  ["invalid-utf8", "/none"],
  ["wrong-rank", "/list"],
  ["wrong-side", "/list"],
  ["repeated-record", "/one"],
  ["repeated-page", "/list?size=1&index=1"],
  ["total-large", "/nowhere"],
  ["null-field", "/odd"],
])("%s has nothing to change in %s", async ([fault, path]) => {
  await miss(fault, path);
});

test("all of these faults were met", () => {
  expect([...tried].sort()).toEqual(Object.keys(INJECTORS).sort());
});
