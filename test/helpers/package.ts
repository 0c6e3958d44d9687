import { execFile, execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import manifest from "../../package.json" with { type: "json" };
import { blocksOf } from "./pages.ts";

const ROOT = join(import.meta.dirname, "..", "..");
export const NAME = `metasnap-${manifest.version}.tgz`;

export const run = promisify(execFile);

export const pack = (...options: string[]) =>
  run("npm", ["pack", "--json", "--silent", "--ignore-scripts", ...options], { cwd: ROOT });

const npm = { ignore_scripts: "true", prefer_offline: "true", audit: "false", fund: "false" };

/** Installs the package in the words of the page of hosts, with this folder in the place of `/usr/local`. */
export async function installPackage(folder: string) {
  mkdirSync(folder, { recursive: true });
  await pack("--pack-destination", folder);
  const block = blocksOf("scripts/deploy/README.md", "bash").find((one) => one.includes("npm root --global")) ?? "";
  const configured = Object.entries({ ...npm, prefix: folder }).map(([name, value]) => [`npm_config_${name}`, value]);
  const env = { ...process.env, ...Object.fromEntries(configured) };
  await run("bash", ["-euc", block.replaceAll("/srv/metasnap", join(folder, "linked"))], { cwd: folder, env });
}

/** Lays the package as npm would, with the libraries of this checkout; tells where. */
export async function unpackPackage(folder: string): Promise<string> {
  await pack("--pack-destination", folder);
  execFileSync("tar", ["-xzf", NAME], { cwd: folder });
  const laid = join(folder, "package");
  symlinkSync(join(ROOT, "node_modules"), join(laid, "node_modules"));
  return laid;
}

/** A folder for `PATH` that has the command of what is laid there. */
export function linkCommand(laid: string, folder: string): string {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  symlinkSync(join(laid, manifest.bin.metasnap), join(bin, "metasnap"));
  return bin;
}
