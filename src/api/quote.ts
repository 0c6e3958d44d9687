/** Characters of a stranger's text in a line of ours. */
const MAX_QUOTE = 300;

/** A text that somebody else has made, as long as a line bears it. */
export const quote = (text: string) => (text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text);
