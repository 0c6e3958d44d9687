import type SQLite from "better-sqlite3";
import { type Slice, sliceId, sliceKey } from "../api/endpoint.ts";
import type { Reason } from "../api/faults.ts";
import type { Journal, Look, PlannedSlice } from "./journal.ts";
import { PAGE_SLOTS, type Purpose } from "./schema.ts";

type PlanWriter = Pick<
  Journal,
  "addSlices" | "plan" | "setPurpose" | "markFailed" | "vouch" | "forget" | "requeue" | "noteLooks" | "giveBack"
>;

/** Changes the plan. `runAt` says when the run began that does so. */
export function createPlanWriter(db: SQLite.Database, runAt: () => string): PlanWriter {
  const addSlice = db.prepare(
    `INSERT INTO slice (dataset, slice, json, purpose) VALUES (:dataset, :slice, :json, :purpose)
     ON CONFLICT DO UPDATE SET purpose = 'answer'
     WHERE excluded.purpose = 'answer' OR (excluded.purpose = 'proof' AND purpose = 'keep')`,
  );
  const planSlice = db.prepare(
    `INSERT INTO slice (dataset, slice, json, purpose) VALUES (:dataset, :slice, :json, :purpose)
     ON CONFLICT DO UPDATE SET purpose = excluded.purpose WHERE purpose <> excluded.purpose`,
  );
  const selectPlanned = db.prepare<[], { id: number; name: string }>(
    "SELECT slice_id AS id, dataset || '?' || slice AS name FROM slice WHERE purpose <> 'proof'",
  );
  const OF_SLICE = `answer_key BETWEEN :id * ${PAGE_SLOTS} AND :id * ${PAGE_SLOTS} + ${PAGE_SLOTS - 1}`;
  const deletePages = db.prepare(`DELETE FROM answer WHERE ${OF_SLICE}`);
  const deleteAttempts = db.prepare("DELETE FROM attempt WHERE slice_id = :id");
  const deleteLooks = db.prepare("DELETE FROM look WHERE slice_id = :id");
  const putLook = db.prepare(
    `INSERT INTO look (check_name, doubt, slice_id, seen, times) VALUES (:check, :doubt, :id, :seen, 1)
     ON CONFLICT DO UPDATE SET times = times + 1`,
  );
  const deleteSlice = db.prepare("DELETE FROM slice WHERE slice_id = :id");
  const setPurpose = db.prepare("UPDATE slice SET purpose = :purpose WHERE slice_id = :id");
  const setFailed = db.prepare(
    "UPDATE slice SET reason = :reason, vouched = 0, tried_at = :runAt WHERE slice_id = :id",
  );
  const setVouched = db.prepare("UPDATE slice SET vouched = 1, tried_at = :runAt WHERE slice_id = :id");
  const setPending = db.prepare("UPDATE slice SET reason = NULL, vouched = 0 WHERE slice_id = :id");
  const setGivenBack = db.prepare(
    "UPDATE slice SET purpose = 'keep', reason = NULL, vouched = 0, tried_at = :runAt WHERE slice_id = :id",
  );

  const toRow = ({ slice, purpose }: PlannedSlice) => ({
    dataset: slice.dataset,
    slice: sliceKey(slice),
    json: JSON.stringify(slice),
    purpose,
  });
  const forEach = (change: (id: number) => void) =>
    db.transaction((ids: readonly number[]) => {
      for (const id of ids) change(id);
    });
  const remove = forEach((id) => {
    for (const statement of [deletePages, deleteAttempts, deleteLooks, deleteSlice]) statement.run({ id });
  });

  return {
    addSlices: db.transaction((slices: readonly Slice[], purpose: Purpose) => {
      for (const slice of slices) addSlice.run(toRow({ slice, purpose }));
    }),
    plan: db.transaction((planned: readonly PlannedSlice[]) => {
      const names = new Set(planned.map(({ slice }) => sliceId(slice)));
      remove(selectPlanned.all().flatMap(({ id, name }) => (names.has(name) ? [] : [id])));
      for (const one of planned) planSlice.run(toRow(one));
    }),
    setPurpose: db.transaction((ids: readonly number[], purpose: Purpose) => {
      for (const id of ids) setPurpose.run({ id, purpose });
    }),
    markFailed: (id: number, reason: Reason) => void setFailed.run({ id, reason, runAt: runAt() }),
    vouch: forEach((id) => setVouched.run({ id, runAt: runAt() })),
    forget: forEach((id) => void deletePages.run({ id })),
    requeue: forEach((id) => {
      deletePages.run({ id });
      setPending.run({ id });
    }),
    noteLooks: db.transaction((looks: readonly Omit<Look, "times">[]) => {
      for (const look of looks) putLook.run(look);
    }),
    giveBack: forEach((id) => {
      deletePages.run({ id });
      setGivenBack.run({ id, runAt: runAt() });
    }),
  };
}
