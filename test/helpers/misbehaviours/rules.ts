import { hash, hashText, toFraction } from "../../../src/extra/sample/numbers/hash.ts";
import type { MisbehaviourName } from "./table.ts";

/** A rule of when an upstream misbehaves. */
export interface Rule {
  name: MisbehaviourName;
  /** The requests: a part of path and query, or a pattern. All when left out. */
  match?: string | RegExp;
  /** The chance of each matching request, from 0 to 1. A rule without it fires at every one. */
  probability?: number;
  /** Fires so often at most. */
  times?: number;
  /** Fires once for each path at most, counted together with all rules that do. */
  oncePerPath?: boolean;
}

/**
 * Rules that together fire at a share of all requests, each at the same part of it. A rule is only asked if those before it
 * stayed silent, so that the later ones get a higher chance.
 */
export function mixOf(rules: readonly Rule[], probability: number): Rule[] {
  const part = probability / rules.length;
  return rules.map((rule, position) => ({ ...rule, probability: part / (1 - part * position) }));
}

/** The choice for one request. */
interface Choice {
  /** How often this path was asked for: 1, 2, … */
  nth: number;
  /** True if this rule, the n-th of the list, is to be tried. */
  fires(rule: Rule, position: number): boolean;
  /** The rule that fired had nothing to change. */
  spare(rule: Rule): void;
  /** The request goes through. */
  pass(): void;
}

/**
 * Chooses the requests at which rules fire. A choice by chance depends on the seed, the rule and its place, the path and how often that was
 * asked before, and not on what else is asked at the same time. A path fails by chance `maxConsecutive` times in a row at most.
 */
export function createChoices(seed: number, maxConsecutive: number) {
  const asked = new Map<string, number>();
  const streaks = new Map<string, number>();
  const fired = new Map<Rule, number>();
  const onceAt = new Set<string>();
  const add = <K>(counts: Map<K, number>, key: K, by: number) => {
    const count = (counts.get(key) ?? 0) + by;
    counts.set(key, count);
    return count;
  };

  return {
    open(path: string): Choice {
      const nth = add(asked, path, 1);
      const isDrawn = ({ name, probability }: Rule, position: number) =>
        probability === undefined ||
        ((streaks.get(path) ?? 0) < maxConsecutive &&
          toFraction(hash(seed, position, hashText(name), hashText(path), nth)) < probability);
      const note = (rule: Rule, by: 1 | -1) => {
        add(fired, rule, by);
        if (rule.probability !== undefined) add(streaks, path, by);
        if (rule.oncePerPath) onceAt[by > 0 ? "add" : "delete"](path);
      };
      return {
        nth,
        fires(rule, position) {
          const { times = Number.POSITIVE_INFINITY, oncePerPath } = rule;
          const isOver = (fired.get(rule) ?? 0) >= times || (oncePerPath && onceAt.has(path));
          if (isOver || !matches(rule, path) || !isDrawn(rule, position)) return false;
          note(rule, 1);
          return true;
        },
        spare: (rule) => note(rule, -1),
        pass: () => void streaks.delete(path),
      };
    },
    reset() {
      for (const counts of [asked, streaks, fired, onceAt]) counts.clear();
    },
  };
}

// A search, because a test moves the place where a global pattern goes on.
function matches({ match = "" }: Rule, path: string): boolean {
  return typeof match === "string" ? path.includes(match) : path.search(match) >= 0;
}
