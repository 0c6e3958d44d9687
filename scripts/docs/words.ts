import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { LANG_CODES } from "../../src/api/enumerations.ts";
import { PROJECT } from "../../src/base/project.ts";
import { type Catalogue, nameOfKey, splitAtPlaces } from "../../src/extra/pages/words/messages.ts";

const FOLDER = join(PROJECT, "src", "extra", "pages", "words");

const readWords = (file: string): Catalogue => JSON.parse(readFileSync(file, "utf8"));

/** Each text of a file by its path; what is no text stays as it is, to be complained of. */
const textsIn = (catalogue: Catalogue, at = ""): [path: string, text: unknown][] =>
  Object.entries(catalogue).flatMap(([key, text]) =>
    typeof text === "object" && text ? textsIn(text, `${at}${key}.`) : [[at + key, text]],
  );

const placesIn = (text: unknown): string[] => splitAtPlaces(`${text}`).filter((_, index) => index % 2 === 1);

/** The names of messages, with the keys and places that each has in English. */
function messagesOf(english: Catalogue) {
  const texts = Map.groupBy(textsIn(english), ([path]) => nameOfKey(path));
  return [...texts].map(([name, forms]) => ({
    name,
    isCounted: forms.some(([path]) => path !== name),
    places: new Set(forms.flatMap(([, text]) => placesIn(text))),
  }));
}

/** The places of all messages as a type: TypeScript does not see the texts of JSON. */
export function renderPlaces(): string {
  const withPlaces = messagesOf(readWords(join(FOLDER, "en.json"))).filter(({ places }) => places.size > 0);
  const rows = withPlaces.map(
    ({ name, places }) => `  "${name}": ${[...places].map((place) => `"${place}"`).join(" | ")};`,
  );
  return [
    "/** Written by `npm run docs` from `en.json`: the places of each message, by its path. */",
    "export interface PlacesOfMessages {",
    ...rows,
    "}\n",
  ].join("\n");
}

/** Names in one line, at most: a translation tool has them all. */
const MOST_NAMES = 10;

/** One line for each language that lacks messages, which are shown in English, and one for each message that has a fault. */
export function checkWords(folder: string): { lacking: string[]; wrong: string[] } {
  const english = readWords(join(folder, "en.json"));
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  const checked = files.map((name) => checkFile(join(folder, name), english));
  return { lacking: checked.flatMap(({ lacking }) => lacking), wrong: checked.flatMap(({ wrong }) => wrong) };
}

function checkFile(file: string, english: Catalogue): ReturnType<typeof checkWords> {
  const lang = basename(file, ".json");
  const shown = relative(PROJECT, file);
  if (!(LANG_CODES as readonly string[]).includes(lang))
    return {
      lacking: [],
      wrong: [`${shown}: ${lang} is not a language of the API; they are: ${LANG_CODES.join(", ")}`],
    };
  try {
    const { count, lacking, wrong } = compareWords(english, readWords(file), lang);
    const more = lacking.length > MOST_NAMES ? " and others" : "";
    const names = `${lacking.slice(0, MOST_NAMES).join(", ")}${more}`;
    return {
      lacking:
        lacking.length > 0
          ? [`${shown}: lacks ${lacking.length} of ${count} messages, which are shown in English: ${names}`]
          : [],
      wrong: wrong.map((fault) => `${shown}: ${fault}`),
    };
  } catch (error) {
    return { lacking: [], wrong: [`${shown}: is not JSON: ${(error as Error).message}`] };
  }
}

function compareWords(english: Catalogue, own: Catalogue, lang: string) {
  const forms = new Intl.PluralRules(lang).resolvedOptions().pluralCategories;
  const wanted = new Map(
    messagesOf(english).flatMap(({ name, isCounted, places }) =>
      (isCounted ? forms.map((form) => `${name}_${form}`) : [name]).map((path) => [path, places] as const),
    ),
  );
  const given = new Map(textsIn(own));
  return {
    count: wanted.size,
    lacking: [...wanted.keys()].filter((path) => !given.has(path)),
    wrong: [...given].flatMap(([path, text]) =>
      findFaults(path, text, wanted.get(path)).map((fault) => `${path} ${fault}`),
    ),
  };
}

function findFaults(path: string, text: unknown, places: ReadonlySet<string> | undefined): string[] {
  if (places === undefined) return ["is no message of en.json"];
  if (typeof text !== "string") return ["is no text"];
  const has = new Set(placesIn(text));
  // A form of a number may say it in a word.
  const needed = path === nameOfKey(path) ? places : places.difference(new Set(["count"]));
  return [
    ...[...needed.difference(has)].map((place) => `lacks {{${place}}}`),
    ...[...has.difference(places)].map((place) => `has {{${place}}}, which the English message lacks`),
    ...(/[{}]/.test(splitAtPlaces(text).join("")) ? ["has a brace outside a placeholder"] : []),
  ];
}

if (import.meta.main) {
  const { lacking, wrong } = checkWords(FOLDER);
  for (const line of lacking) process.stdout.write(`${line}\n`);
  for (const line of wrong) process.stderr.write(`${line}\n`);
  process.exitCode = wrong.length > 0 ? 1 : 0;
}
