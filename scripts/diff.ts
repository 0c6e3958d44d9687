import { EXIT, Failure } from "../src/api/failure.ts";
import { toSanitizedJson } from "../src/api/sanitize.ts";
import { countOf } from "../src/base/words.ts";
import { diffSnapshots } from "../src/extra/nights/diff/diff.ts";
import { openSource } from "../src/extra/nights/source.ts";
import { hintWithoutSnapshot } from "../src/snapshot/published/folder.ts";
import { createMain, runMain } from "./cli/command.ts";
import { listStanding } from "./cli/folder.ts";
import { io } from "./cli/io.ts";
import { type DiffFlags, defineDiff, toDiffOptions } from "./cli/options/diff.ts";
import { renderDiff } from "./cli/print-diff.ts";

export const main = createMain(defineDiff, async (flags: DiffFlags, { args }) => {
  const { data, markdown, json, top } = flags;
  const [before, after] = chooseNights(data, args);
  using was = await openSource(data, before);
  using now = await openSource(data, after);
  const diff = diffSnapshots(was.file, now.file, toDiffOptions(flags));
  io().stdout.write(json ? `${toSanitizedJson(diff)}\n` : renderDiff(diff, { markdown, top }));
  return diff.identical ? EXIT.unchanged : EXIT.done;
});

/** Chooses the nights to compare; with one name, that one and the latest. Withdrawn nights are compared only if they are named. */
function chooseNights(data: string, [before, after]: readonly string[]): [string, string] {
  if (before !== undefined && after !== undefined) return [before, after];
  const { standing: nights } = listStanding(data);
  const [last, previous] = [nights.at(-1)?.version, before ?? nights.at(-2)?.version];
  if (previous !== undefined && last !== undefined) return [previous, last];
  const message = `${data}: holds ${countOf(nights.length, "published snapshot")}, two are needed`;
  const hint = "name two snapshots: npm run diff -- <before> <after>";
  throw new Failure(EXIT.usage, message, nights.length === 0 ? hintWithoutSnapshot(data, hint) : hint);
}

if (import.meta.main) await runMain(main);
