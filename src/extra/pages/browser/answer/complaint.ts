import { element } from "../dom/elements.ts";
import type { Mistake } from "../sql/messages.ts";
import { WORDS } from "../sql/words.ts";

/** What is wrong with a statement: in words, with its line and the place marked in it, and with the name that may be meant. */
export function showMistake(
  sql: string,
  mistake: Mistake,
  replace: (start: number, end: number, name: string) => void,
): Node[] {
  const { text, token, meant } = mistake;
  const shown: Node[] = [element("p", {}, element("strong", {}, text))];
  if (token) shown.push(...showPlace(sql, token));
  if (meant !== undefined) {
    const line = element("p", {}, `${WORDS.meant(meant)} `);
    if (token) {
      const use = element("button", { type: "button" }, WORDS.useName(meant));
      use.addEventListener("click", () => replace(token.start, token.end, meant));
      line.append(use);
    }
    shown.push(line);
  }
  return shown;
}

function showPlace(sql: string, { start, end }: NonNullable<Mistake["token"]>): Node[] {
  const before = sql.slice(0, start).split("\n");
  const line = before.at(-1) ?? "";
  const rest = sql.slice(end).split("\n", 1)[0] ?? "";
  const marked = element("mark", {}, sql.slice(start, end));
  return [
    element("p", {}, WORDS.place(before.length, line.length + 1)),
    element("pre", { dir: "ltr", tabindex: "0" }, element("code", {}, line, marked, rest)),
  ];
}
