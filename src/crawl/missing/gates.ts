import { sliceName } from "../../api/endpoint.ts";
import { EXIT, Failure } from "../../api/failure.ts";
import { describePart } from "../../api/parts.ts";
import type { Conclusion, MissingSlice } from "../../journal/conclusion/conclusion.ts";

/** Facts that decide whether a night is published. */
export interface NightFacts {
  /** True if the English list of heroes was answered, without which there is no night. */
  hasRoster: boolean;
  /** Slices that this night was to ask for. */
  due: number;
  /** Slices that could not be had and are not missing in the base, those in closed parts among them. */
  newlyMissing: number;
  /** Missing slices that no closed part explains, some of them by name. */
  singles: number;
  examples: readonly string[];
  /** Endpoints that are closed and were not before. */
  newlyClosed: readonly string[];
  /** Endpoints that the base has open; without a base all of the selection. */
  open: readonly string[];
  /** Other parts that are newly closed, in words. */
  newParts: readonly string[];
  /** True if a day may take only so many requests. */
  hasBudget: boolean;
  /** `--max-missing`, in percent. */
  maxMissing: number;
}

/** If half of the endpoints are gone it is an outage, and not a closed part. */
const MAX_CLOSED_SHARE = 1 / 2;
/** If more than this share goes missing at once, a night says little about its data. */
const MAX_NEWLY_MISSING_SHARE = 1 / 3;
/** So many single slices stop no night, however small it is. */
const FEW_SINGLES = 3;

/** Returns why a night is not published, with the option that publishes it anyway; undefined if it may pass. */
type Gate = (facts: NightFacts) => { says: string; option: string } | undefined;

const OPEN = "--max-missing 100";

/** The gates in order: troubles of the upstream as a whole come first. With a budget only the first gate holds. */
const GATES: readonly (readonly [gate: Gate, holdsWithBudget: boolean])[] = [
  [
    ({ newlyClosed, open }) => {
      const lost = newlyClosed.filter((dataset) => open.includes(dataset));
      if (lost.length === 0 || lost.length < MAX_CLOSED_SHARE * open.length) return undefined;
      return {
        says: `an outage of the upstream: ${lost.length} of ${open.length} endpoints gave nothing (${name(lost)})`,
        option: OPEN,
      };
    },
    true,
  ],
  [
    ({ newlyClosed, newParts, maxMissing }) =>
      maxMissing === 0 && newlyClosed.length + newParts.length > 0
        ? { says: `closed since this night: ${name([...newlyClosed, ...newParts])}`, option: "--max-missing 1" }
        : undefined,
    false,
  ],
  [
    ({ newlyMissing, due }) =>
      newlyMissing > MAX_NEWLY_MISSING_SHARE * due
        ? { says: `${newlyMissing} of ${due} slices are newly missing`, option: OPEN }
        : undefined,
    false,
  ],
  [
    ({ singles, due, maxMissing, examples }) => {
      const most = maxMissing === 0 ? 0 : Math.max(FEW_SINGLES, (maxMissing / 100) * due);
      if (singles <= most) return undefined;
      const needed = Math.ceil((100 * singles) / due);
      return {
        says: `${singles} of ${due} slices are missing, and at most ${Math.floor(most)} may be (${name(examples)})`,
        option: `--max-missing ${needed}`,
      };
    },
    false,
  ],
];

/** The most names in a message. */
const MOST_NAMED = 5;

const name = (all: readonly string[]): string =>
  all.slice(0, MOST_NAMED).join(", ") + (all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : "");

/** Returns why a night is not published; undefined if it is. The journal then stays unfinished. */
export function findRefusal(facts: NightFacts): Failure | undefined {
  if (!facts.hasRoster)
    return new Failure(
      EXIT.incomplete,
      "the list of heroes was not answered; nothing was published",
      "run the same command again to ask for it",
    );
  if (facts.maxMissing >= 100) return undefined;
  for (const [gate, holdsWithBudget] of GATES) {
    const refusal = facts.hasBudget && !holdsWithBudget ? undefined : gate(facts);
    if (refusal)
      return new Failure(
        EXIT.incomplete,
        `${refusal.says}; nothing was published`,
        `run the same command again to ask for what is missing, or publish it as it is with ${refusal.option}`,
      );
  }
  return undefined;
}

interface Judged extends Pick<NightFacts, "hasRoster" | "due" | "open" | "hasBudget" | "maxMissing"> {
  wasMissing: (missing: MissingSlice) => boolean;
}

export function nightFactsOf({ missing, parts }: Conclusion, { wasMissing, ...rest }: Judged): NightFacts {
  const all = [...missing.values()];
  const singles = all.filter(({ part }) => part === undefined);
  const isEndpoint = ({ dimension }: { dimension: string }) => dimension === "";
  const newParts = parts.filter(({ isNew }) => isNew);
  return {
    ...rest,
    newlyMissing: all.filter((one) => !wasMissing(one)).length,
    singles: singles.length,
    examples: singles.slice(0, MOST_NAMED + 1).map(({ stored, reason }) => `${sliceName(stored.slice)} ${reason}`),
    newlyClosed: newParts.filter(isEndpoint).map(({ dataset }) => dataset),
    newParts: newParts.filter((part) => !isEndpoint(part)).map(describePart),
  };
}
