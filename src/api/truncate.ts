/** Of a text from outside in a line of ours. */
const MAX_QUOTED_CHARS = 300;

/** A text from outside, cut with an ellipsis where it is too long for a line. */
export const truncate = (text: string) =>
  text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text;
