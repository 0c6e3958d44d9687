/** SQL of two moments: in the answers of the first a row was different, in those of the second it is as it is now. */
export interface MomentsSql {
  after: string;
  before: string;
}

/**
 * Makes the moments between which a version came, or ceased, on a night (SQL of its id, and of its start): when the slices that it comes
 * from (SQL of their numbers) were asked for the night before, and when for that night. The first is null if the night before lacks one. If
 * it comes from several, those that stay as they were asked have no part in it.
 */
export function momentsAt(slices: readonly string[], night: string, startedAt: string): MomentsSql {
  const [only, ...more] = slices.map((slice) => askedAround(slice, night, startedAt));
  if (!only) return { after: "NULL", before: "NULL" };
  if (more.length === 0) return only;
  const union = (what: keyof MomentsSql) =>
    [only, ...more]
      .map((moments, index) => `SELECT ${moments[what]} AS at WHERE ${wasAskedAnew(slices[index] as string, night)}`)
      .join(" UNION ALL ");
  return {
    after: `(SELECT iif(count(*) = count(at), min(at), NULL) FROM (${union("after")}))`,
    before: `(SELECT max(at) FROM (${union("before")}))`,
  };
}

/** SQL for the run that a night carries a slice over from. It finds none if the last run of the night itself asked for the slice. */
const carriedIn = (select: string, slice: string, night: string) =>
  `SELECT ${select} FROM carried_slice_fact AS run WHERE run.slice_id = ${slice} AND run.from_night <= ${night} AND ifnull(run.to_night > ${night}, true)`;

/** Makes the SQL condition that a night lacks the slice. */
export const lacksSlice = (slice: string, night: string) =>
  `(EXISTS (SELECT 1 FROM failed_slice_fact AS hole WHERE hole.night_id = ${night} AND hole.slice_id = ${slice})
  OR EXISTS (${carriedIn("1", slice, night)} AND run.asked_at IS NULL))`;

function askedAround(slice: string, night: string, startedAt: string): MomentsSql {
  const before = `(${night} - 1)`;
  const was = `ifnull((${carriedIn("run.asked_at", slice, before)}), (SELECT started_at FROM night WHERE night_id = ${before}))`;
  return {
    after: `iif(${lacksSlice(slice, before)}, NULL, ${was})`,
    before: `ifnull((${carriedIn("run.asked_at", slice, night)}), ${startedAt})`,
  };
}

/** Tells whether there is such a slice, and it was not carried over to that night from the one before. */
const wasAskedAnew = (slice: string, night: string) =>
  `${slice} IS NOT NULL AND NOT EXISTS (${carriedIn("1", slice, night)} AND run.from_night < ${night})`;
