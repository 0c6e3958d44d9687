/** Deterministic pseudo-random numbers: equal parts give equal values. */

/** One step of a 32-bit hash (the finaliser of MurmurHash3 after a multiply-add). */
export function mix(state: number, value: number): number {
  let h = (Math.imul(state ^ value, 0x9e3779b1) + 0x7f4a7c15) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

export function hash(...parts: readonly number[]): number {
  return parts.reduce(mix, 0x2545f491);
}

export function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return mix(0, h);
}

/** A hash as a fraction in [0, 1). */
export function toFraction(h: number): number {
  return h / 2 ** 32;
}

export function hexDigits(length: number, ...parts: readonly number[]): string {
  const salt = hash(...parts);
  let digits = "";
  for (let i = 0; digits.length < length; i++) digits += mix(salt, i).toString(16).padStart(8, "0");
  return digits.slice(0, length);
}

/** Element `h` modulo the length of the list. Throws `RangeError` for an empty list. */
export function pickFromRing<T>(list: readonly T[], h: number): T {
  const element = list[h % list.length];
  if (element === undefined) throw new RangeError("pick from an empty list");
  return element;
}
