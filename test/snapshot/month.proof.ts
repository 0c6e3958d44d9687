import { join } from "node:path";
import { expect, test } from "vitest";
import { pointerOf } from "../helpers/data-folder.ts";
import { judgeHistory } from "../helpers/judge-history.ts";
import { createRandom, SEED } from "../helpers/random.ts";
import { runCommand, temporaryFolder } from "../helpers/run.ts";
import { startSource } from "../helpers/upstream/source.ts";
import { fold, type MonthNight, startMonth } from "./month/nights.ts";
import { NIGHT_KINDS } from "./month/plan.ts";

test("nights of every kind are told by history, diff and manifests as they were, also at a mirror that follows", async () => {
  const random = createRandom("month");
  await using month = await startMonth(random);
  await using source = await startSource(month.data);
  using followed = temporaryFolder();
  const books = createMirrorBooks(month.nights);
  // First another one, that there is something to go back to.
  const kinds = ["plain" as const, ...random.shuffle(NIGHT_KINDS)];
  for (const [at, kind] of kinds.entries()) {
    const night = `SEED=${SEED}, ${at + 1}: ${kind}`;
    await month.acts[kind]();
    await month.check();
    expect(month.judge(), night).toEqual([]);
    const words = ["--max-loss", "100", "--keep", String(KEEP)];
    const { code, stderr } = await runCommand("pull", [source.url, "--data", followed.path, ...words]);
    expect(code, stderr).toBeOneOf([0, 2]);
    if (code === 0) books.add(pointerOf(followed.path).version);
    // It no longer has the files of all that it folded.
    expect(fold(followed.path).left, night).toBe(0);
    expect(judgeHistory(join(followed.path, "history.sqlite"), books.nights()), night).toEqual([]);
  }
});

/** Nights that the mirror keeps. */
const KEEP = 3;

/** Keeps the books of a mirror that follows: what it has published, and which of it it can know to be withdrawn. */
function createMirrorBooks(all: () => readonly MonthNight[]) {
  const published: MonthNight[] = [];
  const withdrawn = new Set<string>();
  let kept: MonthNight[] = [];
  return {
    /** The way of a night leads back to what lies here of those before it; what lies beside that way is withdrawn. */
    add(version: string) {
      const night = all().find((one) => one.version === version);
      if (!night) throw new Error(`${version} is not in the books`);
      const here = [...kept, night];
      const way: MonthNight[] = [];
      for (let at: MonthNight | undefined = night; at; at = here.find((other) => other.version === at?.follows))
        way.push(at);
      const first = way.at(-1)?.sequence ?? 0;
      for (const other of here)
        if (way.includes(other)) withdrawn.delete(other.version);
        else if (other.sequence > first) withdrawn.add(other.version);
      published.push(night);
      kept = here.slice(-KEEP);
      // A night that stands says of the one before it that it stands too.
      for (const { version: own, follows } of kept) if (!withdrawn.has(own) && follows) withdrawn.delete(follows);
    },
    nights: () => published.map((night) => ({ ...night, withdrawn: withdrawn.has(night.version) })),
  };
}
