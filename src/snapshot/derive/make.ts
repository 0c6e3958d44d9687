import type { CellSource } from "../schema/row-source.ts";
import { readSkillCost } from "./cost.ts";
import type { Fitted } from "./fit.ts";
import { stripMarkup } from "./markup.ts";
import type { CellValue } from "./table-writer.ts";

type How = Extract<CellSource, { kind: "made" }>["how"];

/** A cell from what another one says. */
export const MAKERS: Readonly<Record<How, (from: CellValue) => Fitted>> = {
  plain: (from) => ({ value: stripMarkup(from) }),
  cooldown: (from) => toFitted(from, "cooldown"),
  mana: (from) => toFitted(from, "mana"),
};

function toFitted(from: CellValue, which: "cooldown" | "mana"): Fitted {
  const value = typeof from === "string" ? readSkillCost(from)[which] : null;
  return value === undefined ? { value: null, unfit: true } : { value };
}
