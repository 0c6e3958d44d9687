/** What zsh and fish make of the completion. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { runCommand, temporaryFolder } from "../helpers/run.ts";

const write = async (shell: string) => (await runCommand("completion", [shell])).stdout;

test("completion in zsh is what its own makes of it", async () => {
  const type = `
    zmodload zsh/zpty
    zpty z zsh -f -i
    zpty -w z "PS1=PROMPT; metasnap() { print -r -- \\"GOT:\\$*:\\" }; autoload -Uz compinit; compinit -u -D; source $1; print READY''NOW"
    zpty -r z out '*READYNOW*PROMPT*'
    zpty -w -n z $'metasnap cra\\t --upst\\tx --compr\\t\\n'
    zpty -r z out '*GOT:*:*'
    print -r -- \${\${out##*GOT:}%%:*}`;
  using folder = temporaryFolder();
  const file = join(folder.path, "_metasnap");
  writeFileSync(file, await write("zsh"));
  const { stdout } = await promisify(execFile)("zsh", ["-fc", type, "zsh", file]);
  expect(stdout).toBe("crawl --upstream x --compress\n");
});

test("completion in fish is what its own makes of it", async () => {
  const ask = ["metasnap cr", "metasnap crawl --max-l", "metasnap serve --log d", "metasnap completion z"];
  const lines = [await write("fish"), ...ask.map((line) => `complete -C "${line}"`)];
  const { stdout } = await promisify(execFile)("fish", ["--no-config", "-c", lines.join("\n")]);
  expect(stdout.match(/^[^\t\n]+/gm)).toEqual(["crawl", "--max-loss", "debug", "zsh"]);
});
