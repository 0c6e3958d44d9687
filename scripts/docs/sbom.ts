import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json" with { type: "json" };
import { readProduction } from "./production.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** The part of a CycloneDX document that is read here: https://cyclonedx.org/docs/1.5/json/ */
interface Bom {
  serialNumber: string;
  metadata: { timestamp: string; component: { name: string; "bom-ref": string } };
  components: { "bom-ref": string; scope: string }[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const ask = (program: string, ...words: string[]) =>
  execFileSync(program, words, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });

/** Makes the bill of materials of what runs with metasnap, as CycloneDX: the same text for the same lock file, commit and npm. */
export function makeSbom(): string {
  const bom = JSON.parse(
    ask("npm", "sbom", "--package-lock-only", "--offline", "--sbom-format", "cyclonedx", "--loglevel", "error"),
  ) as Bom;
  // Not `--omit dev`: npm then leaves out libraries that development can use, too, tsx and esbuild among them.
  const kept = new Set(readProduction().map(({ name, version }) => `${name}@${version}`));
  const refs = new Set([...kept, bom.metadata.component["bom-ref"]]);
  bom.components = bom.components.filter((component) => refs.has(component["bom-ref"]));
  bom.dependencies = bom.dependencies
    .filter(({ ref }) => refs.has(ref))
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((dependency) => refs.has(dependency)) }));
  // npm takes the name of the folder.
  bom.metadata.component.name = manifest.name;
  bom.metadata.timestamp = new Date(
    1000 * Number(process.env.SOURCE_DATE_EPOCH ?? ask("git", "log", "-1", "--format=%ct")),
  ).toISOString();
  bom.serialNumber = "";
  bom.serialNumber = `urn:uuid:${toUuid(JSON.stringify(bom))}`;
  return `${JSON.stringify(bom, null, 2)}\n`;
}

/** Makes a UUID of version 8 (RFC 9562): bits of our own, here those of a hash. */
function toUuid(text: string): string {
  const hash = createHash("sha256").update(text).digest("hex");
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, `8${hash.slice(17, 20)}`];
  return [...parts, hash.slice(20, 32)].join("-");
}

if (import.meta.main) {
  const file = `metasnap-${manifest.version}.cdx.json`;
  writeFileSync(join(ROOT, file), makeSbom());
  process.stdout.write(`${file}\n`);
}
