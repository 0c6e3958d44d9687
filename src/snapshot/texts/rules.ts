import { ENDPOINTS } from "../../api/endpoints.ts";
import type { TextRuleRow } from "../schema/row-types.ts";

/** By what rule this program notes the texts of each endpoint whose records show texts of lists. */
export const textRules = (): TextRuleRow[] =>
  ENDPOINTS.flatMap(({ dataset, text }) => (typeof text === "string" ? [] : [{ dataset, rule: JSON.stringify(text) }]));

/** The datasets that were noted by our rules. By another one, a text that we must write may not be noted. */
export function notedDatasets(rows: readonly TextRuleRow[]): Set<string> {
  const known = new Map(rows.map(({ dataset, rule }) => [dataset, rule]));
  const ours = textRules().filter(({ dataset, rule }) => known.get(dataset) === rule);
  return new Set(ours.map(({ dataset }) => dataset));
}
