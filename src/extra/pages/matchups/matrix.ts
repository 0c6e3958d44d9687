import { ROLE_CODES } from "../../../api/enumerations.ts";
import { type Facts, sortChoice } from "../facts.ts";
import type { PageContext } from "../page.ts";
import type { Choice } from "../query.ts";
import { matchTypeOf } from "./played.ts";

export interface MatrixHero {
  hero_id: number;
  /** The first role of the hero. */
  role: string | null;
}

/** How each hero does against, or with, each other hero in a rank. */
export interface Matrix {
  /** The heroes in the chosen order. */
  heroes: readonly MatrixHero[];
  /** Points by hero and other hero; missing if the upstream does not state them. */
  rows: ReadonlyMap<number, ReadonlyMap<number, number>>;
}

export const matrixSort = (facts: Facts): Choice => {
  const { frame, pairs } = facts.messages;
  return sortChoice(facts, [
    { value: "name", label: frame.choices.hero },
    { value: "role", label: frame.choices.role },
    { value: "similarity", label: pairs.matchups.similarity },
  ]);
};

// CROSS JOIN: hero after hero by the key, instead of a scan over all ranks.
const VALUES = `
  SELECT hero_id, other_hero_id, increase_win_rate FROM hero CROSS JOIN hero_matchup USING (hero_id)
  WHERE rank = @rank AND match_type = @type ORDER BY hero_id, increase_win_rate DESC, other_hero_id`;

export function readMatrix({ snapshot, facts, values }: PageContext): Matrix {
  const heroes = [...facts.roster.values()].map(({ id, role }) => ({ hero_id: id, role }));
  const found = snapshot.select<{ hero_id: number; other_hero_id: number; increase_win_rate: number }>(VALUES, {
    rank: values.rank ?? "",
    type: matchTypeOf(values.played),
  });
  const rows = new Map(heroes.map(({ hero_id }) => [hero_id, new Map<number, number>()]));
  for (const { hero_id, other_hero_id, increase_win_rate } of found)
    rows.get(hero_id)?.set(other_hero_id, increase_win_rate);
  if (values.sort === "role") heroes.sort((a, b) => placeOf(a.role) - placeOf(b.role));
  return { heroes: values.sort === "similarity" ? bySimilarity(heroes, rows) : heroes, rows };
}

/** Heroes without a role, or with one that nobody knows, come last. */
function placeOf(role: string | null): number {
  const index = (ROLE_CODES as readonly (string | null)[]).indexOf(role);
  return index < 0 ? ROLE_CODES.length : index;
}

function bySimilarity(heroes: readonly MatrixHero[], rows: Matrix["rows"]): MatrixHero[] {
  const vectors = heroes.map((hero) => heroes.map((other) => rows.get(hero.hero_id)?.get(other.hero_id) ?? 0));
  return orderBySimilarity(vectors).flatMap((index) => heroes[index] ?? []);
}

/**
 * The indices of vectors in such an order that similar ones stand side by side: of all pairs, the most similar first, two chains
 * are joined at these ends, until one chain is left. Similar is what points in the same direction (the cosine).
 */
function orderBySimilarity(vectors: readonly (readonly number[])[]): number[] {
  const units = vectors.map(toUnit);
  const pairs = units.flatMap((one, a) =>
    units.slice(a + 1).map((other, index) => ({ a, b: a + 1 + index, likeness: dot(one, other) })),
  );
  pairs.sort((one, other) => other.likeness - one.likeness || one.a - other.a || one.b - other.b);
  /** The chain that each index is in. */
  const chains = vectors.map((_, index) => [index]);
  for (const { a, b } of pairs) {
    const [left, right] = [chains[a], chains[b]];
    if (!left || !right || left === right || !isEnd(left, a) || !isEnd(right, b)) continue;
    const joined = [
      ...(left.at(-1) === a ? left : left.toReversed()),
      ...(right[0] === b ? right : right.toReversed()),
    ];
    for (const index of joined) chains[index] = joined;
  }
  return chains[0] ?? [];
}

const isEnd = (chain: readonly number[], index: number) => chain[0] === index || chain.at(-1) === index;

function dot(one: readonly number[], other: readonly number[]): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += (one[index] ?? 0) * (other[index] ?? 0);
  return sum;
}

function toUnit(vector: readonly number[]): number[] {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => (length > 0 ? value / length : 0));
}
