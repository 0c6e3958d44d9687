import { once } from "node:events";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { variableOf } from "../../../scripts/cli/options/variables.ts";
import { startSample } from "../../../src/extra/sample/service/server.ts";
import type { Trouble } from "../../../src/extra/sample/troubles/troubles.ts";
import { createKeyFiles, publicFileOf } from "../../../src/snapshot/signature/key-files.ts";
import { publishDaysOf, startFollowing } from "../../helpers/mirror.ts";
import { type Ended, LITTLE, RATES, runCommand, startCommand, temporaryFolder } from "../../helpers/run.ts";
import { ofDatasets } from "../../helpers/sample-nights.ts";

const HEROES = 133;

/** A machine on which one can type what stands on a page: with two nights, their mirror, an upstream, and a closed one. */
export async function startPageMachine() {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const [source, data, keys, key] = [at("source"), at("data"), at("keys"), at("metasnap.key")];
  createKeyFiles(key);
  mkdirSync(keys);
  const versions = await publishDaysOf(HEROES, source, [0, 1], ...RATES, "--signing-key", key);
  const mirror = await startFollowing(source);
  const sample = await startSample({ heroes: HEROES, day: 2 });
  const troubles: Trouble[] = [{ of: ofDatasets("ratings", "rating"), form: "code" }];
  const closed = await startSample({ heroes: HEROES, day: 2, troubles });
  // Commands name others as pages do, also after they have read their environment.
  process.env.METASNAP_BIN = "1";

  /** The words of pages, and the words that stand for them here. */
  const places: Record<string, string> = {
    "https://upstream.example": sample.url,
    "https://closed.example": closed.url,
    "https://mirror.example": mirror.url,
    URL: mirror.url,
    "https://github.com/OWNER/REPOSITORY/releases/latest/download/latest.json": `${mirror.url}/snapshots/latest.json`,
    "/srv/www/metasnap": at("place"),
    "/srv/www/site": at("site"),
    // A remote of rclone would have to be configured.
    "mirror:bucket/metasnap": at("place"),
    "metasnap.key": key,
    "metasnap.pub": publicFileOf(key),
    "/etc/metasnap/night.key": join(keys, "night.key"),
    VERSION: versions[0] ?? "",
    A: versions[0] ?? "",
    B: versions[1] ?? "",
    export: at("export"),
    sheets: at("sheets"),
    site: at("site"),
    3000: "0",
    8787: "0",
  };
  const place = (word: string) => places[word] ?? word.replace(/\/var\/lib\/metasnap|^\.demo(?=\/|$)/, data);

  /** Returns variables that cut short what would take long; a plan and a part stay as they stand. */
  function environmentOf(name: string, args: readonly string[]): Record<string, string> {
    const env: Record<string, string> = { METASNAP_DATA: data, METASNAP_PORT: "0" };
    if (name === "keys" && !args.includes("--out")) return { METASNAP_KEYS_OUT: at("other.key") };
    if (name !== "crawl") return { ...env, METASNAP_ALLOW_PARTIAL: "1" };
    if (args.includes("--plan") || args.includes("--languages")) return env;
    const words = [...LITTLE, ...RATES, "--rate", "5000", "--allow-partial", "1"];
    if (args.includes("https://closed.example"))
      words.push("--languages", "en,de,ja,ko", "--endpoints", "heroes,rank,ratings,rating", "--attempts", "2");
    const pairs = words.join(" ").matchAll(/--(\S+) (\S+)/g);
    for (const [, name = "", value = ""] of pairs) env[variableOf("crawl", name)] = value;
    return env;
  }

  return {
    data,
    /** The two nights again, and nothing that was made of them. */
    reset() {
      for (const name of ["data", "place", "export", "sheets", "site"])
        rmSync(at(name), { recursive: true, force: true });
      cpSync(source, data, { recursive: true });
    },
    /** A server ends when it has greeted. */
    async run(name: string, args: readonly string[], given: Record<string, string> = {}): Promise<Ended> {
      const env = { ...environmentOf(name, args), ...given };
      const isServer = ["serve", "sample"].includes(name) && !args.includes("--get") && !args.includes("--help");
      if (!isServer) return runCommand(name, args.map(place), env);
      const { child, ended } = startCommand(name, args.map(place), env);
      await once(child.stdout as NodeJS.ReadableStream, "data");
      child.kill("SIGTERM");
      return ended;
    },
    /** Turns a printed text into that of a page. */
    show(text: string): string {
      const folders: [here: string, shown: string][] = [
        [data, "/var/lib/metasnap"],
        [keys, "/etc/metasnap"],
        [at("place"), "/srv/www/metasnap"],
        ...["https://upstream.example", "https://closed.example"].map((url): [string, string] => [place(url), url]),
      ];
      return folders.reduce((done, [here, shown]) => done.replaceAll(here, shown), text);
    },
    async [Symbol.asyncDispose]() {
      delete process.env.METASNAP_BIN;
      await sample.close();
      await closed.close();
      await mirror[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
