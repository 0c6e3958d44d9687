import { spawnSync } from "node:child_process";
import { dirname, resolve } from "node:path";
import { EXIT } from "../src/api/failure.ts";
import { createKeyFiles, publicFileOf } from "../src/snapshot/signature/key-files.ts";
import { asCalled } from "./bin/called.ts";
import { createMain, defineCommand, option, runMain } from "./cli/command.ts";
import { jsonFlag } from "./cli/options/json.ts";
import { complain, createTeller } from "./cli/say.ts";

const FILE = "metasnap.key";

const defineKeys = () =>
  defineCommand("keys", {
    Options: [
      option("--out <file>", "file for the secret key; the public key is written beside it as .pub")
        .argParser((text) => resolve(text))
        .default(resolve(FILE), FILE),
      jsonFlag(),
    ],
  });

export const main = createMain(defineKeys, async ({ out, json }: { out: string; json: boolean }) => {
  const [, publicKey = ""] = createKeyFiles(out).split("\n");
  createTeller(json)(
    "keys",
    { secret_key: out, public_key: publicFileOf(out), key: publicKey },
    `secret key: ${out} (keep it; anyone who has it can sign in your name)`,
    `public key: ${publicFileOf(out)}`,
    "",
    asCalled("sign with:   npm run crawl -- --signing-key <the secret key>"),
    asCalled(`check with:  npm run pull -- --key ${publicKey} <url>`),
  );
  if (wouldBeCommitted(out)) complain(`${out}: git does not ignore this secret key, keep it out of commits`);
  return EXIT.done;
});

/** Tells whether a file lies in a checkout of git that does not ignore it. Without git, nothing commits it. */
function wouldBeCommitted(file: string): boolean {
  // A checkout of somebody else may name a program for fsmonitor.
  const words = ["-c", "core.fsmonitor=false", "check-ignore", "--quiet", "--no-index", "--", file];
  return spawnSync("git", words, { cwd: dirname(file), stdio: "ignore" }).status === 1;
}

if (import.meta.main) await runMain(main);
