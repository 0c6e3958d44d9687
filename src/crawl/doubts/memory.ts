import { sliceId } from "../../api/endpoint.ts";
import type { Journal } from "../../journal/journal.ts";
import type { CrawlBase } from "../refresh/base.ts";
import type { DoubtCheck, Memory, Suspect } from "./check.ts";

/** Looks at one slice in a night, of all checks together: a slice whose answer is another each time would be asked for ever. */
const MAX_LOOKS = 6;

export function readMemory(journal: Pick<Journal, "looks">, base: CrawlBase | undefined): Memory {
  const looks = journal.looks();
  const times = new Map(looks.map((look) => [keyOf(look.check, look.doubt, look.id, look.seen), look.times]));
  const totals = new Map<number, number>();
  const byDoubt = Map.groupBy(looks, ({ check, doubt }) => `${check} ${doubt}`);
  for (const look of looks) totals.set(look.id, (totals.get(look.id) ?? 0) + look.times);

  const isKnown = ({ name }: Pick<DoubtCheck, "name">, { stored, seen }: Suspect) =>
    base?.doubts.get(`${name} ${sliceId(stored.slice)}`)?.seen === seen;

  return {
    looks,
    requests: looks.reduce((sum, look) => sum + look.times, 0),
    isKnown,
    openIn(check, { name, suspects }) {
      const timesOf = ({ stored, seen }: Suspect) => times.get(keyOf(check.name, name, stored.id, seen)) ?? 0;
      const isOpen = (suspect: Suspect) =>
        timesOf(suspect) < check.looks && (totals.get(suspect.stored.id) ?? 0) < MAX_LOOKS && !isKnown(check, suspect);
      const open = suspects.filter(isOpen);
      const { probes } = check;
      if (probes === undefined) return open;
      // If one suspect came back as another, the rest may too.
      const stays = new Map(suspects.map(({ stored, seen }) => [stored.id, seen]));
      const hasMoved = byDoubt.get(`${check.name} ${name}`)?.some(({ id, seen }) => stays.get(id) !== seen);
      if (hasMoved) return open;
      const spent = suspects.reduce((sum, suspect) => sum + timesOf(suspect), 0);
      if (spent >= probes * check.looks || suspects.some((suspect) => isKnown(check, suspect))) return [];
      return open.toSorted((a, b) => timesOf(a) - timesOf(b)).slice(0, probes);
    },
  };
}

const keyOf = (check: string, doubt: string, id: number, seen: string) => JSON.stringify([check, doubt, id, seen]);
