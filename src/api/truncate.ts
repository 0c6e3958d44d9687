/** Characters of a stranger's text in a line of ours. */
const MAX_QUOTED_CHARS = 300;

/** A text that somebody else has made, as long as a line bears it. */
export const truncate = (text: string) =>
  text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text;
