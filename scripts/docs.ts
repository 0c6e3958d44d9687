import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUDGETS } from "./bench.ts";
import { COMMAND_PAGES } from "./docs/commands.ts";
import { renderDictionary } from "./docs/dictionary.ts";
import { renderLicences } from "./docs/licences.ts";
import { renderNights } from "./docs/nights.ts";
import { fillPlaces, headed } from "./docs/page.ts";
import { renderQuestions } from "./docs/questions.ts";
import { renderPlaces } from "./docs/words.ts";

/** The pages with parts that come from the code. `make docs` writes them, a test checks them. */
export const GENERATED_PAGES: Record<string, (text: string, snapshot?: string) => string | Promise<string>> = {
  ".github/LICENCES.md": renderLicences,
  "scripts/bench/README.md": (text) => fillPlaces(text, { lines: describeBudgets() }),
  ...COMMAND_PAGES,
  "src/extra/pages/words/places.ts": renderPlaces,
  // The first rows of the views and the answers need a snapshot of the sample; without one they stay as they are.
  "data/README.md": renderDictionary,
  "data/NIGHTS.md": renderNights,
  "data/QUESTIONS.md": renderQuestions,
};

const describeBudgets = (): string =>
  headed(
    ["line", "what is measured", "where the time or memory goes"],
    BUDGETS.map(({ name, how, cost = "" }) => [name, how, cost]),
  );

if (import.meta.main) {
  for (const [page, render] of Object.entries(GENERATED_PAGES)) {
    const file = join(import.meta.dirname, "..", page);
    writeFileSync(file, await render(readFileSync(file, "utf8"), process.env.SAMPLE_SNAPSHOT));
  }
}
