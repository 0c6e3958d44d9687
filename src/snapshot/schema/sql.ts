/** The name of a table or column as SQL writes it. Names are our own: none holds a quote. */
export const quoteName = (name: string) => `"${name}"`;

/** Names with commas between them; `prefix`, such as `now.`, says whose they are. */
export const listNames = (names: readonly string[], prefix = "") =>
  names.map((name) => prefix + quoteName(name)).join(", ");
