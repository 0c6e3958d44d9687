import { execFile } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import manifest from "../../package.json" with { type: "json" };
import { blocksOf } from "./pages.ts";

const ROOT = join(import.meta.dirname, "..", "..");
export const NAME = `metasnap-${manifest.version}.tgz`;

export const run = promisify(execFile);

/** Lays what is packed into a folder, as `make package` does. */
export const stage = (folder: string) =>
  run(process.execPath, [join(ROOT, "scripts/package/stage.ts"), folder], { cwd: ROOT });

/** Makes the package in a folder; tells which files are in it. */
export async function pack(folder: string): Promise<string[]> {
  const staged = join(folder, "staged");
  await stage(staged);
  const { stdout } = await run("npm", ["pack", staged, "--json", "--silent", "--pack-destination", folder], {
    cwd: ROOT,
  });
  const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
  return files.map(({ path }) => path);
}

const npm = { ignore_scripts: "true", prefer_offline: "true", audit: "false", fund: "false" };

/** The variables of npm when it is called by itself. */
export const NPM_SETTINGS = Object.fromEntries(
  Object.entries(npm).map(([name, value]) => [`npm_config_${name}`, value]),
);

/** Installs the package in the words of the page of hosts, with this folder in the place of `/usr/local`. */
export async function installPackage(folder: string) {
  mkdirSync(folder, { recursive: true });
  await pack(folder);
  const block = blocksOf("scripts/deploy/README.md", "bash").find((one) => one.includes("npm root --global")) ?? "";
  const env = { ...process.env, ...NPM_SETTINGS, npm_config_prefix: folder };
  await run("bash", ["-euc", block.replaceAll("/srv/metasnap", join(folder, "linked"))], { cwd: folder, env });
}

/** A folder for `PATH` that has the command of what is laid there. */
export function linkCommand(laid: string, folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(join(laid, manifest.bin.metasnap), join(bin, "metasnap"));
  return bin;
}
