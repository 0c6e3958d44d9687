import { cpSync, globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { PROJECT } from "../../src/base/project.ts";
import summaries from "../bin/commands.json" with { type: "json" };
import { loadCommand } from "../cli/call.ts";
import { renderApiTypes } from "./api-types.ts";
import { bundleLauncher, bundlePrograms, collectNotices } from "./bundle.ts";
import { renderTableTypes } from "./table-types.ts";

/** Files that are in the package as they are: those that any Node reads, that pages load, and that people read. */
const AS_THEY_ARE = [
  "scripts/cli/*.cjs",
  "scripts/deploy/**",
  ".assets/*",
  ".github/pictures/*",
  "src/extra/pages/words/*.json",
  "{.,.github,data,src,scripts,scripts/bench}/*.md",
  "LICENSE",
];

/** Folders that are only of use in a checkout: they measure the code. */
const WITHOUT = ["bench"];

const COMMANDS = Object.keys(summaries).filter((name) => !WITHOUT.includes(name));

/** Lays the package, as npm packs it, into a folder. */
async function stagePackage(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  copyAsTheyAre(folder);
  const programs = COMMANDS.map((name) => lineOf(name).split(" ").at(-1) ?? "");
  const inputs = await bundlePrograms(programs, join(folder, "dist"));
  writeFileSync(join(folder, "dist", "tables.d.ts"), renderTableTypes());
  writeFileSync(join(folder, "dist", "api.d.ts"), await renderApiTypes());
  await bundleLauncher(manifest.bin.metasnap, folder);
  writeFileSync(join(folder, "dist", "LICENCES.txt"), collectNotices(inputs));
  writeFileSync(join(folder, "scripts", "bin", "helps.json"), JSON.stringify(await readHelps()));
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(toManifest(), null, 2)}\n`);
}

function copyAsTheyAre(folder: string) {
  const entries = globSync(AS_THEY_ARE, { cwd: PROJECT, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const { parentPath, name } of entries) {
    const file = join(parentPath, name);
    const target = join(folder, file.slice(PROJECT.length));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(file, target);
  }
}

/** Returns the help of each command as the package prints it: the launcher shows it without starting the command. */
async function readHelps(): Promise<Record<string, string>> {
  process.env.METASNAP_BIN = "1";
  const helps = COMMANDS.map(async (name) => [name, (await (await loadCommand(name)).call(["--help"])).stdout]);
  return Object.fromEntries(await Promise.all(helps));
}

const lineOf = (name: string): string => (manifest.scripts as Record<string, string>)[name] ?? "";

/** Makes the line that starts a command from that of `npm run` in a checkout, without the part that translates. */
const toShipped = (line: string) =>
  line.replace("--import ./scripts/cli/typescript.js ", "").replace(/scripts\/(?:bin\/)?([\w-]+)\.ts$/, "dist/$1.js");

/** Makes the manifest from that of the checkout, with the needs of an installed package: the libraries are in its programs. */
function toManifest() {
  const { name, version, description, license, type, bin, dependencies, optionalDependencies } = manifest;
  return {
    name,
    version,
    description,
    license,
    type,
    bin,
    // This Node runs the launcher, which brings the Node that the programs run on, or says in one line which one they need.
    engines: { node: ">=18" },
    exports: {
      "./tables": { types: "./dist/tables.d.ts" },
      "./api": { types: "./dist/api.d.ts" },
      "./package.json": "./package.json",
    },
    scripts: Object.fromEntries(COMMANDS.map((command) => [command, toShipped(lineOf(command))])),
    dependencies: { "better-sqlite3": dependencies["better-sqlite3"] },
    optionalDependencies,
  };
}

if (import.meta.main) await stagePackage(resolve(process.argv[2] ?? join(PROJECT, ".package")));
