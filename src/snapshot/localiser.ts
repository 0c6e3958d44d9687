import type SQLite from "better-sqlite3";
import type { Reference } from "../api/endpoint.ts";
import type { Lang } from "../api/languages.ts";
import { type Lists, localisedTexts } from "../api/localise.ts";
import type { Place } from "../api/path.ts";
import { SQL } from "./queries.ts";

/** SQLite takes a thousand arguments; so many texts have twice as many. */
const AT_ONCE = 200;

/**
 * Writes records in another language. SQLite puts the texts in, so that each number keeps the digits it was sent with. They
 * come as JSON: as plain text a half of a surrogate pair or a NUL would not survive.
 */
export function createLocaliser(db: SQLite.Database, lists: Lists) {
  const statements = new Map<number, SQLite.Statement<string[], string>>();

  function setTexts(json: string, texts: readonly [Place, string][]): string {
    const statement = statements.get(texts.length) ?? db.prepare<string[], string>(SQL.setTexts(texts.length)).pluck();
    statements.set(texts.length, statement);
    return statement.get(json, ...texts.flatMap(([place, text]) => [toJsonPath(place), JSON.stringify(text)])) ?? json;
  }

  return (json: string, rule: readonly Reference[], lang: Lang): string | undefined => {
    const texts = localisedTexts(rule, JSON.parse(json), lang, lists);
    if (!texts) return undefined;
    let localised = json;
    for (let start = 0; start < texts.length; start += AT_ONCE)
      localised = setTexts(localised, texts.slice(start, start + AT_ONCE));
    return localised;
  };
}

const toJsonPath = (place: Place) =>
  `$${place.map((key) => (typeof key === "number" ? `[${key}]` : `."${key}"`)).join("")}`;
