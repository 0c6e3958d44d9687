import { count, day, table } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { nameOf, timesOf } from "../withheld-notes.ts";

/** What the upstream refuses and what was left out; nothing where all was asked and answered. */
export function refused({ facts }: PageContext): Html | undefined {
  const { withheld } = facts;
  if (withheld.length === 0) return undefined;
  return html`<h2 id="refused">What the upstream refuses</h2>
<p>If the upstream refuses an answer, this snapshot has the last one that it gave, with its time, or lacks it. Each night asks a few of these answers again; if one of them is given, all of them are asked.</p>
${table(
  "One row for what is refused in the same way since the same night; the table refusal of the file has more",
  [
    { head: "What", names: true },
    { head: "Endpoints" },
    { head: "Since" },
    { head: "Answered with" },
    { head: "Carried over", number: true },
    { head: "They are from" },
    { head: "Missing", number: true },
  ],
  withheld.map((one) => [
    describe(one, facts),
    one.datasets.join(", "),
    day(one.since),
    one.answer || "–",
    count(one.carried),
    timesOf(one),
    count(one.missing),
  ]),
)}
`;
}

function describe(one: PageContext["facts"]["withheld"][number], facts: PageContext["facts"]): string {
  if (one.why === "left-out") return "Left out by the operator of this snapshot";
  if (one.dimension === "single") return "Single answers";
  return nameOf(one, facts) ?? "All of it";
}
