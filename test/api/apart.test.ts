import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renderDiff } from "../../scripts/cli/print-diff.ts";
import { cellsApart, numbersApart, runsApart, type TextRun, THE_SAME } from "../../src/api/apart.ts";
import type { Lang } from "../../src/api/enumerations.ts";
import { toSanitizedJson } from "../../src/api/sanitize.ts";
import { type Diff, diffSnapshots } from "../../src/extra/nights/diff/diff.ts";
import { diffWords } from "../../src/extra/nights/diff/rows/texts.ts";
import { createPages } from "../../src/extra/pages/pages.ts";
import { copyOf, pointerOf, putChanges } from "../helpers/data-folder.ts";
import { type Element, elementsOf, rowsOf } from "../helpers/html.ts";
import { wordsIn } from "../helpers/messages.ts";
import { startFollowing } from "../helpers/mirror.ts";
import { openPage } from "../helpers/people.ts";
import { SEED } from "../helpers/random.ts";
import { temporaryFolder } from "../helpers/run.ts";
import { editFile } from "../helpers/sqlite.ts";
import { world } from "../helpers/world.ts";

const nights = world.nights;

/** What a reader sees of a text: nothing of what is invisible, and one space for several. */
const look = (text: string) =>
  stripVTControlCharacters(text)
    .replaceAll(/(?!\s)[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim()
    .normalize("NFC");

const SPACE = "\u200b";
const LONG = "x".repeat(300);

/** Texts that differ where nobody sees it, or where there is no room left. */
const pairs: [what: string, before: string | null, after: string | null][] = [
  ["none and its word", null, "nothing"],
  ["none and an empty one", null, ""],
  ["an invisible character", "fast", `fa${SPACE}st`],
  ["nothing but invisible characters", SPACE, "\u200c"],
  ["a space of another kind", "a b", "a\u00a0b"],
  ["two spaces", "a b", "a  b"],
  ["a space at the end", "a", "a "],
  ["a line", "a b", "a\nb"],
  ["an accent of its own", "\u00e9", "e\u0301"],
  ["what an escape looks like", `a${SPACE}`, "a\\u{200b}"],
  ["a quote", "a", '"a"'],
  ["the end of a long one", `${LONG}1`, `${LONG}2`],
  ["an invisible end of a long one", LONG, LONG + SPACE],
  ["an invisible and a far character", `${LONG}${LONG}1`, `${SPACE}${LONG}${LONG}2`],
];

describe("two cells", () => {
  test.for(pairs)("look different: %s", ([, before, after]) => {
    for (const most of [Number.POSITIVE_INFINITY, 120]) {
      const sides = cellsApart(before, after, most);
      expect(look(sides[0])).not.toBe(look(sides[1]));
      expect(cellsApart(after, before, most)).toEqual(sides.toReversed());
      for (const side of sides) expect(side.length).toBeLessThanOrEqual(most);
    }
  });

  test("are as they are where that differs, and told exactly where it does not", () => {
    expect(cellsApart("fast", "slow")).toEqual(["fast", "slow"]);
    expect(cellsApart(null, 12)).toEqual(["nothing", "12"]);
    expect(cellsApart("12", 12)).toEqual(['"12"', "12"]);
    expect(cellsApart(null, "nothing")).toEqual(["nothing", '"nothing"']);
    expect(cellsApart("a b", `a${SPACE} b `)).toEqual(['"a b"', '"a\\u{200b} b\\u{20}"']);
    expect(cellsApart(`${LONG}1`, `${LONG}2`, 40)).toEqual([`…${"x".repeat(30)}1`, `…${"x".repeat(30)}2`]);
  });

  test("of any kind look different", () => {
    const sign = fc.constantFrom(
      ...'aé\u0301 \n\t\u00a0"\\{}12',
      SPACE,
      "\u202e",
      "\ud83d\ude00",
      "nothing",
      LONG,
      "\\u{20}",
    );
    const text = fc.oneof(
      fc.array(sign, { maxLength: 6 }).map((signs) => signs.join("")),
      // `fc.string({ unit: "binary" })` says the same, and makes a table of all signs first.
      fc
        .array(fc.integer({ min: 0, max: 0x10_ffff }), { maxLength: 10 })
        .map((points) => String.fromCodePoint(...points).toWellFormed()),
    );
    const cell = fc.oneof(text, fc.constant(null), fc.integer(), fc.double({ noNaN: true }));
    const check = fc.property(cell, cell, fc.constantFrom(80, 120, Number.POSITIVE_INFINITY), (before, after, most) => {
      fc.pre(before !== after);
      const [one, other] = cellsApart(before, after, most);
      expect(look(one)).not.toBe(look(other));
    });
    fc.assert(check, { seed: SEED, numRuns: 500 });
  });
});

describe("two numbers", () => {
  const write = (value: number, digits: number) => value.toFixed(digits);

  test("have the digits that it takes, and are the same where none are enough", () => {
    expect(numbersApart(0.51, 0.52, write, 2)).toEqual(["0.51", "0.52"]);
    expect(numbersApart(0.5123, 0.5121, write, 2)).toEqual(["0.5123", "0.5121"]);
    expect(numbersApart(0.5, 0.5, write, 2)).toEqual(["0.50", THE_SAME]);
    expect(numbersApart(1e-30, 2e-30, write, 2)).toEqual(["0.00", THE_SAME]);
  });

  test("never print the same", () => {
    const number = fc.double({ min: -1, max: 1, noNaN: true });
    const check = fc.property(number, fc.oneof(number, fc.constantFrom(1e-4, 1e-7, 1e-12)), (before, by) => {
      const [one, other] = numbersApart(before, before + by, write, 2);
      expect(one).not.toBe(other);
    });
    fc.assert(check, { seed: SEED });
  });
});

/** As one line: what was kept, [-what went-] and {+what came+}. */
const toLine = (runs: readonly TextRun[]) =>
  runs.map(([what, text]) => (what === "=" ? text : what === "-" ? `[-${text}-]` : `{+${text}+}`)).join("");

test.for<[what: string, before: string, after: string, line: string]>([
  ["differ to the eye", "a b", "a c", "a [-b-]{+c+}"],
  ["differ by something invisible", "a", `a${SPACE}b`, `a{+${SPACE}b+}`],
  ["differ by nothing else", "a b", `a${SPACE} b`, "a{+\\u{200b}+} b"],
  ["lose a space between signs", "敵 に", "敵に", "敵[-\\u{20}-]に"],
  ["differ by how an accent is written", "\u00e9", "e\u0301", "[-\\u{e9}-]{+e\\u{301}+}"],
  ["have what an escape looks like", `a ${SPACE}`, "a \\u{200b}", "a [-\\u{200b}-]{+\\u{5c}u{200b}+}"],
  ["are the same", "a", "a", "a"],
])("words of two texts that %s", ([, before, after, line]) => {
  expect(toLine(runsApart(diffWords(before, after, "ja")))).toBe(line);
});

type Pair = (typeof pairs)[number];

const quote = (text: string | null) => (text === null ? "NULL" : `'${text.replaceAll("'", "''")}'`);
const LANGUAGES = ["en", "ar"] as const;

/** One side of each pair, as a cell of a hero, as a text and as a list: ten heroes have as many in English, the others follow. */
const toSql = (found: readonly Pair[], side: 1 | 2) =>
  found.flatMap((pair, at) => {
    const [of, cell] = [`hero_id = ${(at % 10) + 1}`, quote(pair[side])];
    const lang = quote(LANGUAGES[Math.floor(at / 10)] ?? "");
    return [
      at < 10 ? `UPDATE hero SET skill_levels = ${cell} WHERE ${of}` : `UPDATE hero SET lore_url = ${cell} WHERE ${of}`,
      `UPDATE hero_text SET story = ${cell} WHERE ${of} AND lang = ${lang}`,
      `DELETE FROM hero_speciality WHERE ${of} AND lang = ${lang}`,
      `INSERT INTO hero_speciality SELECT hero_id, ${lang}, 1, ifnull(${cell}, ''), 1 FROM hero WHERE ${of}`,
    ];
  });

const JOINED = "DELETE FROM hero_speciality WHERE hero_id = 10 AND lang = 'de'";
const ofWeek = (rank: string) => `rank = '${rank}' AND days = 7`;
/** These nights have team mates only. */
const AS_OPPONENTS = "UPDATE hero_matchup SET match_type = 0";
const BEFORE = [JOINED, AS_OPPONENTS, "INSERT INTO hero_speciality VALUES (10, 'de', 1, 'one, two', 1)"];
/** Who does not move while all others do, and who moves less than is printed. */
const AFTER = [
  JOINED,
  AS_OPPONENTS,
  "INSERT INTO hero_speciality VALUES (10, 'de', 1, 'one', 1), (10, 'de', 2, 'two', 1)",
  `UPDATE hero_rate SET appearance_rate = appearance_rate + 0.002 WHERE ${ofWeek("all")} AND hero_id <> 3`,
  `UPDATE hero_rate SET appearance_rate = appearance_rate + 0.002 - 0.00199 * (hero_id = 4) WHERE ${ofWeek("glory")}`,
  "UPDATE hero_matchup SET increase_win_rate = increase_win_rate + 0.02 WHERE rank = 'all' AND (hero_id, other_hero_id) <> (5, 6)",
  "UPDATE hero_matchup SET increase_win_rate = increase_win_rate + 0.02 - 0.01999 * ((hero_id, other_hero_id) = (6, 7)) WHERE rank = 'glory'",
  `UPDATE skill_combo_step SET icon_url = icon_url || '?2' WHERE position = 1`,
];

function compare(found: readonly Pair[]): Diff {
  using folder = temporaryFolder();
  const edit = (name: string, sql: readonly string[]) => {
    const file = join(folder.path, `${name}.sqlite`);
    copyFileSync(nights.files[0] ?? "", file);
    editFile(file, [...sql, `UPDATE snapshot SET content_hash = '${name}'`].join(";\n"));
    return file;
  };
  const before = edit("before", [...toSql(found, 1), ...BEFORE]);
  return diffSnapshots(before, edit("after", [...toSql(found, 2), ...AFTER]));
}

/** A row of a report: its cells by the heads of the columns. */
interface ReportRow {
  table: string;
  cells: ReadonlyMap<string, string>;
}

type Sides = [before: string, after: string];

/** What its row tells in two sides: in two cells, on both sides of an arrow, and as what went and came in a text. */
function sidesOf({ cells }: ReportRow): Sides[] {
  const [before, after] = ["before", "after"].map((name) => cells.get(name));
  const told: Sides[] = before === undefined || after === undefined ? [] : [[before, after]];
  const inWords = [...cells.values()].filter((cell) => /<(?:del|ins)>/.test(cell));
  const without = (cell: string, name: string) =>
    cell.replaceAll(new RegExp(`<${name}>.*?</${name}>`, "g"), "").replaceAll(/<\/?(?:del|ins)>/g, "");
  const byWords = inWords.map((cell): Sides => [without(cell, "ins"), without(cell, "del")]);
  const byArrow = [...cells.values()].flatMap((cell) =>
    cell.split(/, (?=[\w\\]+: )/).flatMap((part): Sides[] => {
      const [one, other] = part.replace(/^[\w\\]+: /, "").split(" → ");
      return one === undefined || other === undefined ? [] : [[one, other]];
    }),
  );
  return [...told, ...byWords, ...byArrow];
}

const toRow = (table: string, head: readonly string[], cells: readonly string[]): ReportRow => ({
  table,
  cells: new Map(cells.map((cell, at) => [head[at]?.trim().toLowerCase() || `column ${at}`, cell])),
});

function rowsOfMarkdown(report: string): ReportRow[] {
  return report
    .split(/^## /m)
    .slice(1)
    .flatMap((part) => {
      const lines = part.split("\n").filter((line) => line.startsWith("| "));
      const [head = [], , ...rows] = lines.map((line) => line.slice(2, -2).split(" | "));
      return rows.map((cells) => toRow(part.split("\n", 1)[0] ?? "", head, cells));
    });
}

/** With the marks of what went and came as Markdown has them. */
function rowsOfTerminal(report: string): ReportRow[] {
  const marked = stripVTControlCharacters(report)
    .replaceAll(/\[-(.*?)-\]/g, "<del>$1</del>")
    .replaceAll(/\{\+(.*?)\+\}/g, "<ins>$1</ins>");
  return marked.split("\n\n").flatMap((part) => {
    const lines = part.split("\n").filter((line) => line.startsWith("│"));
    const [head = [], ...rows] = lines.map((line) => line.slice(1, -1).split("│"));
    return rows.map((cells) => toRow(part.split("\n", 1)[0] ?? "", head, cells));
  });
}

/** With the heads of its columns in English. */
function rowsOfPage(document: Element, lang: Lang): ReportRow[] {
  const [own, english] = [wordsIn(lang).mirror.changes, wordsIn("en").mirror.changes];
  const heads = new Map((["before", "after", "change"] as const).map((key) => [own[key], english[key]]));
  return elementsOf(document, "table").flatMap((table) => {
    const [caption] = elementsOf(table, "caption");
    const head = elementsOf(table, "thead").flatMap((one) =>
      elementsOf(one, "th").map(({ text }) => heads.get(text) ?? text),
    );
    return rowsOf(table).map((cells) => toRow(caption?.text ?? "", head, cells.map(toMarked)));
  });
}

/** The text of a cell, with the marks of what went and came. */
function toMarked(cell: Element): string {
  const words = elementsOf(cell, "del", "ins");
  return words.reduce((text, { name, text: own }) => text.replace(own, `<${name}>${own}</${name}>`), cell.text);
}

describe("no row of a report has two sides that look the same", () => {
  const diff = compare(pairs);

  function expectApart(rows: readonly ReportRow[], tables: readonly string[]) {
    const told = rows.filter((row) => {
      const sides = sidesOf(row);
      for (const [before, after] of sides)
        expect(look(before), `${row.table}: ${[...row.cells]}`).not.toBe(look(after));
      return sides.length > 0;
    });
    expect([...new Set(told.map(({ table }) => table))]).toEqual(tables);
    return told;
  }

  const tables = ["Rates", "Matchups", "Texts", "Roles, lanes, relations and other lists", "Rows"];
  test("in Markdown", () => {
    const told = expectApart(rowsOfMarkdown(renderDiff(diff, { markdown: true, top: 1000 })), tables);
    expect(told.filter(({ table, cells }) => table === "Rates" && cells.get("after") === THE_SAME)).toHaveLength(1);
    expect(told.filter(({ table }) => table === "Texts")).toHaveLength(pairs.length - 1);
  });

  test("on a terminal", () => {
    expectApart(rowsOfTerminal(renderDiff(diff, { markdown: false, top: 1000 })), tables);
  });

  test("on the page of what changed", async () => {
    using copy = copyOf(nights.data);
    const { version } = pointerOf(copy.path);
    putChanges(copy.path, version, toSanitizedJson(diff));
    await using mirror = await startFollowing(copy.path, { pages: createPages({ pictures: false }) });
    for (const lang of LANGUAGES) {
      const { changes: words } = wordsIn(lang).mirror;
      const told = expectApart(rowsOfPage(await openPage(mirror, `/changes?lang=${lang}`), lang), [
        words.textsCaption({ language: lang }),
        ...[words.byTable, words.listsCaption, words.moversCaption, words.pairsCaption],
      ]);
      expect(told.filter(({ cells }) => cells.get("after") === THE_SAME).length).toBeGreaterThan(0);
    }
    expect(mirror.faults).toEqual([]);
  });

  test("nor in the lists and texts of its JSON", () => {
    const { lists = [], texts = [] } = diff.changes ?? {};
    expect(lists.length).toBeGreaterThan(pairs.length);
    // None and an empty one are no two texts.
    expect(texts).toHaveLength(pairs.length - 1);
    for (const { before, after } of [...lists, ...texts]) expect(before).not.toEqual(after);
    const steps = lists.find(({ table }) => table === "skill_combo_step");
    expect(steps?.before[0]).toMatch(/ \(icon_url https?:\S+[^2]\)$/);
    expect(steps?.after[0]).toMatch(/ \(icon_url https?:\S+\?2\)$/);
  });
});
