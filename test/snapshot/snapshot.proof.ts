import { copyFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { pointerOf } from "../helpers/data-folder.ts";
import { runProcess, temporaryFolder } from "../helpers/run.ts";
import { world } from "../helpers/world.ts";

test("a build of a whole night has the same bytes each time, in another time zone and language", async () => {
  using folder = temporaryFolder();
  // A build writes beside its journal.
  const journal = join(folder.path, basename(world.journal));
  copyFileSync(world.journal, journal);
  const env = { TZ: "Asia/Tokyo", LC_ALL: "tr_TR.UTF-8" };
  const { code } = await runProcess("build", ["--data", folder.path, "--journal", journal], env);
  expect(code).toBe(0);
  expect(pointerOf(folder.path)).toEqual(pointerOf(world.data));
});
