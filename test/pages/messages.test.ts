/** The words of the pages in each language, against the English ones. */
import { describe, expect, test } from "vitest";
import { LANG_CODES } from "../../src/api/enumerations.ts";
import { Html } from "../../src/pages/html.ts";
import { wordsIn } from "../helpers/messages.ts";

type Said = [path: string, message: string | ((...values: unknown[]) => string | Html)];

/** Each message with its path in the catalogue. */
const saidIn = (catalogue: object, at = ""): Said[] =>
  Object.entries(catalogue).flatMap(([key, value]): Said[] => {
    const path = `${at}/${key}`;
    return typeof value === "object" ? saidIn(value as object, path) : [[path, value as Said[1]]];
  });

/** The text of a message whose values are signs: ⟦0⟧ is the first. */
function sayWithSigns(message: Said[1], values: number): string {
  if (typeof message === "string") return message;
  const said = message(...Array.from({ length: values }, (_, index) => new Sign(`⟦${index}⟧`)));
  return said instanceof Html ? said.text : said;
}

/** For messages that take HTML, and for those that take text or a number. */
class Sign extends Html {
  override toString() {
    return this.text;
  }
}

const english = saidIn(wordsIn("en"));
const values = new Map(english.map(([path, message]) => [path, typeof message === "string" ? 0 : message.length]));

/** Signs of values, and braces that a script fills in, each once. */
const partsOf = (text: string) => [...new Set(text.match(/⟦\d+⟧|\{\w+\}/g))].sort();

test("there are messages in all languages but Khmer", () => {
  expect(english.length).toBeGreaterThan(300);
  const spoken = LANG_CODES.filter((code) => wordsIn(code).frame.language === code);
  expect(LANG_CODES.filter((code) => !spoken.includes(code))).toEqual(["km"]);
});

describe.for(LANG_CODES.filter((code) => code !== "en" && code !== "km"))("in %s", (code) => {
  const translated = new Map(saidIn(wordsIn(code)));

  test("each message has the values of the English one", () => {
    const wrong = english.flatMap(([path, message]) => {
      const other = translated.get(path);
      if (other === undefined) return [`${path} is missing`];
      const [wanted, got] = [message, other].map((one) => partsOf(sayWithSigns(one, values.get(path) ?? 0)));
      return JSON.stringify(wanted) === JSON.stringify(got) ? [] : [`${path}: ${got} instead of ${wanted}`];
    });
    expect(wrong).toEqual([]);
    expect([...translated.keys()].filter((path) => !values.has(path))).toEqual([]);
  });

  test("no sentence is still English", () => {
    const sentences = english.flatMap(([path, message]) =>
      typeof message === "string" && message.split(" ").length > 4 ? [[path, message] as const] : [],
    );
    expect(sentences.length).toBeGreaterThan(60);
    expect(sentences.filter(([path, message]) => translated.get(path) === message)).toEqual([]);
  });
});
