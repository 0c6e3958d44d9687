import { EXIT, Failure } from "../src/api/failure.ts";
import { toJson } from "../src/api/harmless.ts";
import { diffSnapshots } from "../src/nights/diff/diff.ts";
import { openSource } from "../src/nights/source.ts";
import { run } from "./cli/command.ts";
import { type DiffFlags, diffCommand, toDiffOptions } from "./cli/options/diff.ts";
import { renderDiff } from "./cli/print-diff.ts";
import { listStanding } from "./cli/standing.ts";

await run(diffCommand, async (flags: DiffFlags) => {
  const { data, markdown, json, top } = flags;
  const [before, after] = chooseNights(data, diffCommand.args);
  using was = await openSource(data, before);
  using now = await openSource(data, after);
  const diff = diffSnapshots(was.file, now.file, toDiffOptions(flags));
  process.stdout.write(json ? `${toJson(diff)}\n` : renderDiff(diff, { markdown, top }));
  return diff.identical ? EXIT.unchanged : EXIT.done;
});

/** With one name: what changed since. Withdrawn nights are compared only where they are named. */
function chooseNights(data: string, [before, after]: readonly string[]): [string, string] {
  if (before !== undefined && after !== undefined) return [before, after];
  const { standing: nights } = listStanding(data);
  const [last, previous] = [nights.at(-1), before ?? nights.at(-2)];
  if (previous !== undefined && last !== undefined) return [previous, last];
  const message = `${data}: holds ${nights.length} published snapshots, two are needed`;
  throw new Failure(EXIT.usage, message, "name two snapshots: npm run diff -- <before> <after>");
}
