import type { Reason } from "../../api/faults.ts";
import type { Look, StoredSlice } from "../../journal/journal.ts";
import type { Run } from "../run.ts";

/** A valid answer that is doubted. */
export interface Suspect {
  stored: StoredSlice;
  /** The part of the answer that raises the doubt, as text. If it is the same in the next answer, that look has found nothing new. */
  seen: string;
  /** Ids of answers that it was compared with, and that are asked again with it. */
  beside?: readonly number[];
}

/** Answers that do not fit together, as a check has found them. */
export interface Doubt {
  /** Tells it from others of its check, in all rounds. */
  name: string;
  /** The doubt in one line, for the log and the file. */
  why: string;
  /** The suspects, in the order in which they are asked again. */
  suspects: readonly Suspect[];
}

/** The looks of this night, and the doubts that the base has. */
export interface Memory {
  looks: readonly Look[];
  /** Requests for suspects so far. */
  requests: number;
  /** Tells whether the base has the same doubt about this answer. */
  isKnown(check: Pick<DoubtCheck, "name">, suspect: Suspect): boolean;
  /** The suspects that are to be asked again now; none if the doubt stays. */
  openIn(check: DoubtCheck, doubt: Doubt): Suspect[];
}

/** The journal and the base, as a check reads them. */
export interface InHand {
  run: Run;
  /** Slices that are due and have an answer, in the order of the plan. */
  answered: readonly StoredSlice[];
  memory: Memory;
}

/** A row of the table of doubts. */
export interface DoubtCheck {
  /** The name in the table `doubt` of the file. */
  name: string;
  /** Times that a suspect comes back as it was before it is taken to be the upstream's own. */
  looks: number;
  /** The fault that is noted if a suspect comes back as another: the first answer was damaged on its way. */
  fault?: Reason;
  /** True if an answer counts only once it has come twice: it is forgotten if a look fails. Any other is kept until a look gives one. */
  mustComeTwice?: true;
  /** Number of suspects that are asked first: if they come back as they were, the others would too. If it is left out, all are asked. */
  probes?: number;
  /**
   * The outcome for suspects that come back as they were. `believe`: they are right, and nothing is noted. `accept`: they are taken, and
   * the table `doubt` lists them. `carry`: as `accept`, but with `--budget` or `--reuse` their table stays as the base has it. `missing`:
   * they are not taken.
   */
  ifItStays: "believe" | "accept" | "carry" | "missing";
  /** Each doubt is named by a table (`SliceGroup`). If a day has no room to look into it, that table stays as the base has it. */
  isOfTables?: true;
  find(inHand: InHand): readonly Doubt[] | Promise<readonly Doubt[]>;
}
