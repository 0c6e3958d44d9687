import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";

/**
 * The part of GitHub's `gh release` that the workflow uses, over a folder: a release is a folder with `assets` and `release.json`.
 * Published ones are immutable, and names of assets keep only letters, digits, points, underscores and hyphens, as there.
 */
const store = process.env.RELEASES ?? "";
const [, verb, ...rest] = process.argv.slice(2);
const { values, positionals } = parseArgs({
  args: rest.map((word) => (word === "--draft=false" ? "--no-draft" : word)),
  allowNegative: true,
  allowPositionals: true,
  options: {
    draft: { type: "boolean" },
    "exclude-drafts": { type: "boolean" },
    "exclude-pre-releases": { type: "boolean" },
    json: { type: "string" },
    limit: { type: "string" },
    latest: { type: "boolean" },
    target: { type: "string" },
    title: { type: "string" },
    "notes-file": { type: "string" },
    dir: { type: "string" },
    yes: { type: "boolean" },
  },
});

interface Release {
  tag: string;
  draft: boolean;
  notes: string;
  target: string;
  number: number;
}

if (!process.env.GH_TOKEN) throw new Error("gh: set the GH_TOKEN environment variable");
const [tag = "", ...files] = positionals;
const fileOf = (one: string) => join(store, one, "release.json");
const read = (one: string): Release => JSON.parse(readFileSync(fileOf(one), "utf8"));
const write = (release: Release) => writeFileSync(fileOf(release.tag), JSON.stringify(release));
const all = () =>
  readdirSync(store)
    .filter((one) => existsSync(fileOf(one)))
    .map(read);
appendFileSync(join(store, "log"), `${verb} ${tag}\n`);

if (verb === "list") {
  const published = all()
    .filter(({ draft }) => !draft)
    .sort((a, b) => b.number - a.number);
  const shown = published.slice(0, Number(values.limit)).map(({ tag: tagName }) => ({ tagName }));
  process.stdout.write(`${JSON.stringify(shown)}\n`);
} else if (verb === "create") {
  if (existsSync(fileOf(tag))) throw new Error(`${tag} exists`);
  mkdirSync(join(store, tag, "assets"), { recursive: true });
  const notes = readFileSync(values["notes-file"] ?? "", "utf8");
  if (notes.length > 125_000) throw new Error("body is too long");
  write({ tag, draft: values.draft ?? false, notes, target: values.target ?? "", number: all().length });
  for (const file of files) {
    const asset = join(store, tag, "assets", basename(file).replaceAll(/[^\w.-]/g, "."));
    copyFileSync(file, asset);
    if (process.env.DAMAGE && asset.endsWith(process.env.DAMAGE)) appendFileSync(asset, "x");
  }
} else if (verb === "download") {
  mkdirSync(values.dir ?? "", { recursive: true });
  for (const name of readdirSync(join(store, tag, "assets")))
    copyFileSync(join(store, tag, "assets", name), join(values.dir ?? "", name));
} else if (verb === "edit") {
  if (!read(tag).draft) throw new Error(`${tag} is immutable`);
  write({ ...read(tag), draft: values.draft ?? true });
} else if (verb === "delete") {
  if (!read(tag).draft) throw new Error(`${tag} is immutable`);
  rmSync(join(store, tag), { recursive: true });
} else throw new Error(`gh: unknown ${verb}`);
