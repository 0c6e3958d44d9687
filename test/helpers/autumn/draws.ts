/** A number of 32 bits that is the same for the same parts (FNV-1a with a finaliser, as its low bits repeat). */
export function hash(...parts: readonly (string | number)[]): number {
  let h = 0x811c9dc5;
  const text = parts.join(" ");
  for (let at = 0; at < text.length; at += 1) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}

/** From 0, below 1. */
export const fraction = (...parts: readonly (string | number)[]) => hash(...parts) / 2 ** 32;

/** From one number to another, with six decimals, as rates are published. */
export const rate = (least: number, most: number, ...parts: readonly (string | number)[]) =>
  Number((least + (most - least) * fraction(...parts)).toFixed(6));

/** An element of a list that is not empty. */
export function pick<T>(list: readonly T[], ...parts: readonly (string | number)[]): T {
  const [first] = list;
  if (first === undefined) throw new Error("nothing to pick from");
  return list[hash(...parts) % list.length] ?? first;
}

export const upTo = (count: number) => Array.from({ length: count }, (_, at) => at + 1);
