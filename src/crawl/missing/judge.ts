import { sliceId } from "../../api/endpoint.ts";
import { describeClosed, type Part } from "../../api/parts.ts";
import { conclude, isMissingIn } from "../../journal/conclusion/conclusion.ts";
import { capturedById } from "../../journal/journal.ts";
import { ROSTER } from "../ask/ask-page.ts";
import type { Run } from "../run.ts";
import { findRefusal, nightFactsOf } from "./gates.ts";

/** Says what the night has come to, in one line for each closed part. Throws a Failure if it is not to be published. */
export function judgeNight({ journal, options, log }: Run): void {
  const { base } = options;
  const conclusion = conclude(journal, base);
  const known = new Set(base?.heroes.map(String));
  const isNewHero = ({ dimension, value }: Part) => dimension === "hero" && base !== undefined && !known.has(value);
  for (const part of describeClosed(conclusion.parts, (one) => (isNewHero(one) ? "; new in the list" : "")))
    log("closed", { part });
  const singles = [...conclusion.missing.values()].filter(({ part }) => part === undefined);
  const byReason = Map.groupBy(singles, ({ stored, reason }) => `${stored.slice.dataset} ${reason}`);
  for (const [first, ...more] of byReason.values())
    if (first) {
      const { stored, reason } = first;
      log("missing", { ...stored.slice, reason, slices: 1 + more.length });
    }
  const refusal = findRefusal(
    nightFactsOf(conclusion, {
      hasRoster: capturedById(journal).has(sliceId(ROSTER)),
      due: journal.slices().length,
      open: conclusion.endpoints
        .map(({ dataset }) => dataset)
        .filter((dataset) => !base || base.endpoints.some((one) => one.dataset === dataset && one.state === "open")),
      wasMissing: ({ stored }) => stored.purpose === "closed" || isMissingIn(base, stored.slice),
      hasBudget: options.policy === "budget",
      maxMissing: options.maxMissing,
    }),
  );
  if (refusal) throw refusal;
}
