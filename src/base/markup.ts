const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

// No document may have them, and browsers would each make something else of them.
const FORBIDDEN = /(?![\t\n])\p{Cc}|[\ufffe\uffff]/gu;

/** Escapes text and attributes in quotes, in HTML and in XML 1.0. */
export const escapeMarkup = (text: string): string =>
  text
    .toWellFormed()
    .replace(FORBIDDEN, "")
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
