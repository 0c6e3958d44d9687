import { EXIT, Failure } from "../api/failure.ts";
import { nameKey, parseIdentifier } from "../api/identifier.ts";
import { BASE_LANG } from "../api/languages.ts";
import { heroListRecord } from "../api/records/hero.ts";
import type { Selection } from "../api/selection.ts";
import { type CaptureDeps, captureSlice } from "./capture.ts";

export interface RosterEntry {
  id: number;
  name: string;
}

/** The heroes that the upstream knows now, by id. Asked once per run; a journal that holds the answer is not asked again. */
export async function captureRoster(deps: CaptureDeps): Promise<RosterEntry[]> {
  const { journal } = deps;
  journal.expect([{ dataset: "heroes", lang: BASE_LANG }]);
  const stored = journal.slices().find(({ slice }) => slice.dataset === "heroes" && slice.lang === BASE_LANG);
  if (!stored) throw new Error("the journal has lost the roster");
  const records =
    stored.state === "captured" ? readRecords(journal.pages(stored.id)) : await captureSlice(stored, deps);
  if (!records) throw explainMissing(deps);
  return records
    .map((record) => heroListRecord.parse(record).data)
    .map((data) => ({ id: data.hero_id, name: data.hero.data.name }))
    .sort((a, b) => a.id - b.id);
}

function readRecords(pages: Buffer[]): unknown[] {
  return pages.flatMap((page) => (JSON.parse(page.toString("utf8")) as { data: { records: unknown[] } }).data.records);
}

function explainMissing({ journal, upstream }: CaptureDeps): Failure {
  const last = journal.lastAttempt();
  return new Failure(
    EXIT.unreachable,
    `${upstream.host}: gave no hero list (${last?.reason}: ${last?.detail})`,
    "check --upstream, or run the same command again when the upstream is back",
  );
}

/** The ids that `--heroes` names, or the whole roster. */
export function selectHeroes(selection: Selection, roster: readonly RosterEntry[]): number[] {
  if (!selection.heroes) return roster.map((hero) => hero.id);
  const ids = selection.heroes.map((word) => {
    const wanted = parseIdentifier(word);
    const hero = roster.find(({ id, name }) => ("id" in wanted ? wanted.id === id : wanted.key === nameKey(name)));
    if (hero) return hero.id;
    throw new Failure(EXIT.usage, `--heroes: the upstream has no hero ${word}`, "give ids or English names, by commas");
  });
  return [...new Set(ids)].sort((a, b) => a - b);
}
