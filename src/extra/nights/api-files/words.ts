import type { Endpoint } from "../../../api/endpoint.ts";
import { ENDPOINTS } from "../../../api/endpoints.ts";
import { BASE_LANG, LANG_CODES } from "../../../api/enumerations.ts";
import { nameKey } from "../../../api/request/identifier.ts";
import type { Snapshot } from "../../../snapshot/read/snapshot.ts";

/** The file beside those of the heroes with their names in all languages. */
export const BY_NAME = "api/heroes/by-name.json";

/** A word of the upstream that may be part of a path on any file system. */
const PATH_WORD = /^[a-z0-9-]{1,64}$/;

/** The values of an endpoint's path parameter, and the words that are no values. */
export interface PathTargets {
  targets: { hero?: number; subject?: string }[];
  refused: string[];
}

export function listTargets(snapshot: Snapshot, { identifier }: Endpoint): PathTargets {
  if (identifier?.kind === "hero") return listHeroes(snapshot);
  if (identifier?.kind !== "word") return { targets: [{}], refused: [] };
  const words = [...new Set(snapshot.words(identifier))];
  return {
    targets: words.filter((word) => PATH_WORD.test(word)).map((subject) => ({ subject })),
    refused: words.filter((word) => !PATH_WORD.test(word)),
  };
}

function listHeroes({ names }: Snapshot): PathTargets {
  const ids = [...(names.get(BASE_LANG)?.keys() ?? [])].sort((a, b) => a - b);
  return {
    targets: ids.filter(isAnswered).map((hero) => ({ hero })),
    refused: ids.filter((id) => !isAnswered(id)).map(String),
  };
}

/** Tells whether a server answers for this id. */
const isAnswered = (id: number) => id >= 1;

const heroesIn = ({ names }: Snapshot, lang: string) =>
  [...(names.get(lang) ?? [])].flatMap(([id, { name }]) => (isAnswered(id) ? [{ id, name, key: nameKey(name) }] : []));

/** The words that stand in paths in the place of hero ids. */
const TAKEN = new Set(
  [...ENDPOINTS.map(({ path }) => path.slice(1)), BY_NAME].flatMap(
    (path) => /^api\/heroes\/([a-z-]+)/.exec(path)?.[1] ?? [],
  ),
);

/** Lists the English names by which heroes have a second path, as a server compares names, and refuses those that cannot be part of it. */
export function listHeroWords(snapshot: Snapshot): { words: Map<number, string>; refused: string[] } {
  const heroes = heroesIn(snapshot, BASE_LANG);
  const alike = Map.groupBy(heroes, ({ key }) => key);
  const isPath = (word: string) =>
    PATH_WORD.test(word) && !/^\d+$/.test(word) && !TAKEN.has(word) && alike.get(word)?.length === 1;
  return {
    words: new Map(heroes.filter(({ key }) => isPath(key)).map(({ id, key }) => [id, key])),
    refused: heroes.filter(({ key }) => !isPath(key)).map(({ name }) => name),
  };
}

/** Maps names to hero ids, by language, then by name as a server compares it. A name that heroes share is left out. */
export function mapNames(snapshot: Snapshot): Record<string, Record<string, number>> {
  const languages = LANG_CODES.filter((lang) => snapshot.names.has(lang));
  return Object.fromEntries(
    languages.map((lang) => {
      const alike = [...Map.groupBy(heroesIn(snapshot, lang), ({ key }) => key)].filter(
        ([key, { length }]) => key !== "" && length === 1,
      );
      return [lang, Object.fromEntries(alike.map(([key, [hero]]) => [key, hero?.id ?? 0]))];
    }),
  );
}
