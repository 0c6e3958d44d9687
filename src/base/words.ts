/** The most characters of a text from outside that one of our lines quotes. */
const MAX_QUOTED_CHARS = 300;

/** Cuts a text from outside, with an ellipsis, if it is too long for a line. */
export const truncate = (text: string) =>
  text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text;

/** Writes a number with its noun: `1 night`, `2 nights`. */
export const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** Writes a duration for people, in at most two units: `45 s`, `12 min`, `1 h 2 min`, `3 d 4 h`. */
export function describeDuration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return join(`${hours} h`, minutes % 60, "min");
  return join(`${Math.floor(hours / 24)} d`, hours % 24, "h");
}

const join = (more: string, count: number, unit: string) => (count === 0 ? more : `${more} ${count} ${unit}`);

/** A difference of two shares, in points of a percent with its sign. */
export const signedPoints = (difference: number, digits = 3): string =>
  `${difference < 0 ? "−" : "+"}${(100 * Math.abs(difference)).toFixed(digits)}`;

/** Writes a size in megabytes. */
export const describeBytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
