import { BASE_LANG, LANES, type Lang, RANKS, ROLES } from "../../../api/enumerations.ts";
import type { Snapshot } from "../../../snapshot/read/snapshot.ts";
import type { Option } from "../query.ts";
import type { Messages } from "../words/messages.ts";

/** The ranks, roles and lanes that can be chosen, under the names that the snapshot has for them in a language. */
export interface NamedOptions {
  ranks: readonly Option[];
  roles: readonly Option[];
  lanes: readonly Option[];
}

/** Characters of a label, at most: a select is as wide as its longest. */
export const MOST_LABEL_CHARS = 40;

interface Title {
  value: string;
  title: string;
}

const ROLE_TITLES = "SELECT role AS value, title FROM role_text WHERE lang = @lang";
const LANE_TITLES = "SELECT lane AS value, title FROM lane_text WHERE lang = @lang";

/**
 * The name of a rank is that of the step with its number in the game. If the step has another English name, it is not the step of
 * this rank, and the snapshot does not have the name in other languages.
 */
const RANK_TITLES = `
  SELECT rank.rank AS value, local.name AS title FROM rank
  JOIN rank_step AS step ON step.level = rank.bigrank
  JOIN rank_step_text AS local ON local.first_rank_id = step.first_rank_id AND local.lang = @lang
  JOIN rank_step_text AS english ON english.first_rank_id = step.first_rank_id AND english.lang = 'en'
  WHERE instr(rank.name, english.name) = 1 ORDER BY step.first_rank_id DESC`;

/** The titles of the snapshot in the language; where it has none, the English names and codes of the service. */
export function readNamedOptions({ select }: Snapshot, lang: Lang, words: Messages["frame"]): NamedOptions {
  const titlesOf = (sql: string) => new Map(select<Title>(sql, { lang }).map(({ value, title }) => [value, title]));
  const rankTitles = titlesOf(RANK_TITLES);
  const nameOfRank = (code: string, english: string) => {
    if (code === "all") return words.allRanks;
    const title = lang === BASE_LANG ? undefined : rankTitles.get(code);
    if (title === undefined) return english;
    return code === HIGHEST ? words.andAbove({ rank: title }) : title;
  };
  return {
    ranks: RANKS.map(({ code, name }) => ({ value: code, label: nameOfRank(code, name) })),
    roles: titled(ROLES, titlesOf(ROLE_TITLES), lang),
    lanes: titled(LANES, titlesOf(LANE_TITLES), lang),
  };
}

/** The bracket of the highest rank holds what is above it too. */
const HIGHEST = "glory";

/** A title that the upstream writes in small letters begins with a large one, as the others do. */
const titled = (entries: readonly { code: string }[], titles: ReadonlyMap<string, string>, lang: Lang): Option[] =>
  entries.map(({ code }) => {
    const title = (titles.get(code) || code).slice(0, MOST_LABEL_CHARS);
    return { value: code, label: `${title.charAt(0).toLocaleUpperCase(lang)}${title.slice(1)}` };
  });
