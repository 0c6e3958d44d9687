import type { Facts } from "../facts.ts";
import { isNoPoint } from "../format.ts";
import type { Choice } from "../query.ts";
import type { Messages } from "../words/messages.ts";

/** The choice between two counts of the upstream: how a hero does against the other one, and with it in its team. */
export const playedChoice = ({ messages: { pairs } }: Facts): Choice => ({
  name: "played",
  label: pairs.played.label,
  options: [
    { value: "against", label: pairs.played.opponent },
    { value: "with", label: pairs.played.teamMate },
  ],
  fallback: "against",
});

/** The number of it in the tables. */
export const matchTypeOf = (played: string | undefined): number => (played === "with" ? 1 : 0);

/** Says if a pairing is better or worse than expected, as far as the written points go. */
export const pairingWords = (by: number, { played: words }: Messages["pairs"]): string => {
  if (isNoPoint(by)) return words.asExpected;
  return by < 0 ? words.worse : words.better;
};
