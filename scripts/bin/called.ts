import type summaries from "./commands.json";

export type CommandName = keyof typeof summaries;

/** A text that names commands as `npm run`, with them as the one that runs was called. */
export function asCalled(text: string): string {
  if (process.env.METASNAP_BIN === undefined) return text;
  return text.replace(/npm run (?:--silent )?([a-z][a-z-]*)(?: --(?= |$))?/g, "metasnap $1");
}
