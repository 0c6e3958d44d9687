/** Puts texts between the marks `<!-- name -->` and `<!-- /name -->` of a page. */
export const fillPlaces = (text: string, parts: Record<string, string>): string =>
  Object.entries(parts).reduce((done, [name, part]) => {
    const [from, to] = findPlace(done, name);
    return done.slice(0, from) + part + done.slice(to);
  }, text);

/** Returns the text between the marks of a page. */
export const readPlace = (text: string, name: string): string => text.slice(...findPlace(text, name));

function findPlace(text: string, name: string): [from: number, to: number] {
  const begin = `<!-- ${name} -->\n`;
  const [at, to] = [text.indexOf(begin), text.indexOf(`\n<!-- /${name} -->`)];
  if (at < 0 || to < 0) throw new Error(`there is no place for ${name}`);
  return [at + begin.length, to];
}

const markdownTable = (rows: string[][]) => rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** A table with a head, in Markdown. */
export const headed = (head: string[], rows: string[][]) => markdownTable([head, head.map(() => "---"), ...rows]);
