import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseBody, readBody } from "../../src/api/body/body.ts";
import { joinChunks } from "../../src/api/body/wrapping.ts";
import { SEED } from "../helpers/random.ts";

const textOf = (body: string | Buffer) => readBody(Buffer.from(body)).text.toString("utf8");

/** JSON text in which keys come twice, with odd spellings of keys and numbers, and white space anywhere. */
const oddJson = (): fc.Arbitrary<string> => {
  const space = fc.constantFrom("", "", " ", "\n\t", "\r\n");
  const scalars = fc.constantFrom("1", "0.50", "-0", "1e400", "null", "true", '""', '":"', '"a\\\\"', '"\\"x\\":1"');
  const keys = fc.constantFrom('"a"', '"\\u0061"', '"b"', '"b\\\\"', '"__proto__"', '""', '"a:b"', '"\\ud800"');
  const { whole } = fc.letrec<{ whole: string }>((tie) => {
    const inner = fc.tuple(space, tie("whole"), space).map((parts) => parts.join(""));
    const member = fc
      .tuple(space, keys, space, inner)
      .map(([before, key, after, value]) => `${before}${key}${after}:${value}`);
    return {
      whole: fc.oneof(
        { maxDepth: 5, depthSize: "small" },
        scalars,
        fc.array(member, { maxLength: 5 }).map((members) => `{${members.join(",") || " "}}`),
        fc.array(inner, { maxLength: 4 }).map((elements) => `[${elements.join(",")}]`),
      ),
    };
  });
  return whole;
};

/** Keys of all objects as they are written, so that one that is there twice is seen. */
const hasDoubleKeys = (text: string) => {
  const seen: Set<string>[] = [];
  let twice = false;
  for (const [token, , colon] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*(:?)|[{}]/g)) {
    if (token === "{") seen.push(new Set());
    else if (token === "}") seen.pop();
    else if (colon) {
      const key = JSON.parse(token.replace(/\s*:$/, "")) as string;
      twice ||= seen.at(-1)?.has(key) ?? false;
      seen.at(-1)?.add(key);
    }
  }
  return twice;
};

describe("a body", () => {
  test("loses a byte order mark, and is refused where it is no UTF-8", () => {
    expect(textOf('\ufeff{"a":1}')).toBe('{"a":1}');
    expect(parseBody(Buffer.from('\ufeff{"a":1}'))).toEqual({ a: 1 });
    for (const read of [parseBody, readBody]) expect(() => read(Buffer.from([0x22, 0xff, 0x22]))).toThrow(TypeError);
  });

  test("without a key twice is stored as it came, to the character", () => {
    for (const body of ['{ "a" : 0.50, "b":[1e400 ,-0] }', '{"a\\\\":"x\\":y"}', '{"a":{"a":{"a":1}}}', " [ ] ", '":"'])
      expect(textOf(body)).toBe(body);
  });

  test("keeps the last value of a key that comes twice, with its digits", () => {
    expect(textOf('{"a":1,"b":2.50,"a":3.70}')).toBe('{"a":3.70,"b":2.50}');
    expect(textOf('{"a":{"b":1,"\\u0062":2}}')).toBe('{"a":{"b":2}}');
    expect(textOf('{"data":{"forged":1},"data":{"honest":1}}')).toBe('{"data":{"honest":1}}');
    expect(textOf('[{"__proto__":1,"__proto__":[2]}]')).toBe('[{"__proto__":[2]}]');
  });

  test("reads as JavaScript reads it, whatever comes twice", () => {
    let twice = 0;
    const check = fc.property(oddJson(), (body) => {
      const { json, text } = readBody(Buffer.from(body));
      const stored = text.toString("utf8");
      twice += hasDoubleKeys(body) ? 1 : 0;
      expect(hasDoubleKeys(stored)).toBe(false);
      expect(JSON.parse(stored)).toStrictEqual(json);
      expect(json).toStrictEqual(JSON.parse(body));
      if (!hasDoubleKeys(body)) expect(JSON.stringify(JSON.parse(stored))).toBe(JSON.stringify(JSON.parse(body)));
    });
    fc.assert(check, { seed: SEED, numRuns: 3000 });
    expect(twice).toBeGreaterThan(300);
  });
});

test.each([
  ["short ones", 1],
  ["some that together are larger than what bodies are put together in", 200_000],
])("chunks are joined as their texts are encoded: %s", (_, times) => {
  const chunks = ["", "a", "é\ud800", Buffer.from("日本"), "🙂", Buffer.alloc(0)].flatMap((chunk) => [
    chunk,
    "{}".repeat(times),
  ]);
  const apart = chunks.map((chunk) => (typeof chunk === "string" ? Buffer.from(chunk) : chunk));
  const [joined, again] = [joinChunks(chunks), joinChunks(["x"])];
  expect(joined.equals(Buffer.concat(apart))).toBe(true);
  expect(again.toString()).toBe("x");
});
