import { hash, hashText, toFraction } from "../../../src/sample/numbers/hash.ts";
import type { FaultRule } from "./faults.ts";

/** The choice for one request. */
export interface Choice {
  /** Whether this rule, the n-th of the list, is to be tried. */
  fires(rule: FaultRule, position: number): boolean;
  /** The rule that fired had nothing to change. */
  spare(rule: FaultRule): void;
  /** The request goes through. */
  pass(): void;
}

/**
 * Which requests a rule fires at. By chance it depends on the seed, the rule and its place, the path and how often that
 * was asked before, and not on what else is asked at the same time.
 */
export function createChoices(seed: number, maxConsecutive: number) {
  const asked = new Map<string, number>();
  const streaks = new Map<string, number>();
  const fired = new Map<FaultRule, number>();
  const onceAt = new Set<string>();
  const add = <K>(counts: Map<K, number>, key: K, by: number) => {
    const count = (counts.get(key) ?? 0) + by;
    counts.set(key, count);
    return count;
  };
  const byChance = (rule: FaultRule) => rule.probability !== undefined && !rule.always;

  return {
    open(path: string): Choice {
      const nth = add(asked, path, 1);
      const drawn = (rule: FaultRule, position: number) =>
        (streaks.get(path) ?? 0) < maxConsecutive &&
        toFraction(hash(seed, position, hashText(rule.fault), hashText(path), nth)) < (rule.probability ?? 0);
      return {
        fires(rule, position) {
          if (!matches(rule, path) || (fired.get(rule) ?? 0) >= (rule.times ?? Number.POSITIVE_INFINITY)) return false;
          if (rule.oncePerPath && onceAt.has(path)) return false;
          if (byChance(rule) && !drawn(rule, position)) return false;
          if (rule.oncePerPath) onceAt.add(path);
          add(fired, rule, 1);
          if (byChance(rule)) add(streaks, path, 1);
          return true;
        },
        spare(rule) {
          if (rule.oncePerPath) onceAt.delete(path);
          add(fired, rule, -1);
          if (byChance(rule)) add(streaks, path, -1);
        },
        pass() {
          streaks.delete(path);
        },
      };
    },
    reset() {
      for (const counts of [asked, streaks, fired, onceAt]) counts.clear();
    },
  };
}

// A search, because a test moves the place where a global pattern goes on.
function matches({ match }: FaultRule, path: string): boolean {
  if (match === undefined) return true;
  return typeof match === "string" ? path.includes(match) : path.search(match) >= 0;
}
