import type { Reason } from "../../api/faults.ts";
import type { Look, StoredSlice } from "../../journal/journal.ts";
import type { Run } from "../run.ts";

/** A valid answer that is doubted. */
export interface Suspect {
  stored: StoredSlice;
  /** What of it raises the doubt: while that stays, asking again has found nothing new. */
  seen: string;
  /** Ids of answers that it was compared with, and that are asked again with it. */
  beside?: readonly number[];
}

/** Answers that do not fit together. */
export interface Doubt {
  /** Tells it from others of its check, in all rounds. */
  name: string;
  /** In one line. */
  why: string;
  /** Those first that are to be asked again first. */
  suspects: readonly Suspect[];
}

/** What was looked into already, in this night or in that of the base. */
export interface Memory {
  looks: readonly Look[];
  /** Requests for suspects so far. */
  requests: number;
  /** Whether the base has the same doubt of this answer. */
  isKnown(check: Pick<DoubtCheck, "name">, suspect: Suspect): boolean;
  /** The suspects that are to be asked again now; none if the doubt stays. */
  openIn(check: DoubtCheck, doubt: Doubt): Suspect[];
}

/** What a check looks at: the journal and the base. */
export interface InHand {
  run: Run;
  /** What is due and answered, in the order of the plan. */
  answered: readonly StoredSlice[];
  memory: Memory;
}

/** A row of the table of doubts. */
export interface DoubtCheck {
  /** As in the table `doubt` of the file. */
  name: string;
  /** Times that a suspect comes back as it was before it is taken to be the upstream's own. */
  looks: number;
  /** What an answer was that came back as another: damaged on its way. */
  fault?: Reason;
  /** Suspects that are asked first: if they come back as they were, the others would too. All, if it is left out. */
  probes?: number;
  /**
   * What becomes of answers that come back as they were. `believe`: there was no more to it. `accept`: they are taken, and the file says
   * what is odd about them. `carry`: the same, but a crawl that need not ask for all leaves their table as the base has it. `missing`:
   * they are not taken.
   */
  ifItStays: "believe" | "accept" | "carry" | "missing";
  /** Its doubts are of tables, by whose names they go: one that a day has no room to look into stays as the base has it. */
  isOfTables?: true;
  find(inHand: InHand): readonly Doubt[] | Promise<readonly Doubt[]>;
}
