/** Descriptions come as HTML-like markup (`<font color="…">`); a lone `<` is text. */
export const stripMarkup = <T>(text: T): T | string =>
  typeof text === "string" ? text.replaceAll(/<\/?[a-z][^<>]*>/gi, "") : text;
