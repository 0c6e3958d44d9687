import { expect, test } from "vitest";
import { cutTo, MAX_LINE_CHARS, MAX_NAME_CHARS, MAX_TEXT_CHARS, mostBytes } from "../../src/api/body/bounds.ts";
import { ApiError } from "../../src/api/errors.ts";
import { EXIT, Failure } from "../../src/api/failure.ts";
import { createListLookup } from "../../src/api/localise.ts";
import { mostChars } from "../../src/snapshot/schema/definition.ts";

const LONG = "x".repeat(1_000_000);

test("a cut text has as many characters as it may, and no half of one", () => {
  expect(cutTo(3, "abc")).toBe("abc");
  expect(cutTo(3, "abcd")).toBe("abc");
  expect(cutTo(3, "ab😀")).toBe("ab\ufffd");
  for (const character of ["x", "é", "ไ", "😀"])
    expect(Buffer.byteLength(character.repeat(50))).toBeLessThanOrEqual(mostBytes(character.length * 50));
});

test.for([
  ["name", MAX_NAME_CHARS],
  ["type_name", MAX_NAME_CHARS],
  ["title", MAX_LINE_CHARS],
  ["head_url", MAX_LINE_CHARS],
  ["story", MAX_TEXT_CHARS],
  ["username", MAX_TEXT_CHARS],
] as const)("a text of a column %s has at most %d characters", ([column, most]) => {
  expect(mostChars(column)).toBe(most);
});

test("an error of the API quotes little of what it is about", () => {
  const fields = [{ name: "rank", in: "query" as const, received: LONG, allowed: "a rank" }];
  const error = new ApiError("VALIDATION_FAILED", { message: LONG, hint: LONG, detail: LONG, fields });
  expect(JSON.stringify(error).length).toBeLessThan(3000);
});

test("a failure of a command quotes little of what it is about", () => {
  expect(new Failure(EXIT.usage, LONG, "look").message.length).toBeLessThan(5000);
});

test("a list is not kept with texts that nobody could write", () => {
  const reference = { list: "heroes", key: "id", id: "hero", texts: { name: "name", title: "title" } };
  const lists = createListLookup(() => [
    { id: "1", name: "Miya", title: LONG },
    { id: LONG, name: "Nobody", title: "x" },
  ]);
  expect([...(lists(reference, "en") ?? [])]).toEqual([["1", { name: "Miya", title: undefined }]]);
});
