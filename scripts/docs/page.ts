/** Puts texts between the marks `<!-- name -->` and `<!-- /name -->` of a page. */
export function fillPlaces(text: string, parts: Record<string, string>): string {
  return Object.entries(parts).reduce((done, [name, part]) => {
    const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- /${name} -->`];
    const [from, to] = [done.indexOf(begin), done.indexOf(end)];
    if (from < 0 || to < 0) throw new Error(`there is no place for ${name}`);
    return done.slice(0, from + begin.length) + part + done.slice(to);
  }, text);
}

const markdownTable = (rows: string[][]) => rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** A table with a head, in Markdown. */
export const headed = (head: string[], rows: string[][]) => markdownTable([head, head.map(() => "---"), ...rows]);
