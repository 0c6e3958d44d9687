/**
 * The places of vectors in such an order that similar ones stand side by side: of all pairs, the most similar first, two chains
 * are joined at these ends, until one chain is left. Similar is what points in the same direction (the cosine).
 */
export function orderBySimilarity(vectors: readonly (readonly number[])[]): number[] {
  const units = vectors.map(toUnit);
  const pairs = units.flatMap((one, a) =>
    units.slice(a + 1).map((other, place) => ({ a, b: a + 1 + place, likeness: dot(one, other) })),
  );
  pairs.sort((one, other) => other.likeness - one.likeness || one.a - other.a || one.b - other.b);
  /** Of each place, the chain that it is in. */
  const chains = vectors.map((_, place) => [place]);
  for (const { a, b } of pairs) {
    const [left, right] = [chains[a], chains[b]];
    if (!left || !right || left === right || !isEnd(left, a) || !isEnd(right, b)) continue;
    const joined = [
      ...(left.at(-1) === a ? left : left.toReversed()),
      ...(right[0] === b ? right : right.toReversed()),
    ];
    for (const place of joined) chains[place] = joined;
  }
  return chains[0] ?? [];
}

const isEnd = (chain: readonly number[], place: number) => chain[0] === place || chain.at(-1) === place;

function dot(one: readonly number[], other: readonly number[]): number {
  let sum = 0;
  for (let place = 0; place < one.length; place++) sum += (one[place] ?? 0) * (other[place] ?? 0);
  return sum;
}

function toUnit(vector: readonly number[]): number[] {
  const length = Math.sqrt(dot(vector, vector));
  return vector.map((value) => (length > 0 ? value / length : 0));
}
