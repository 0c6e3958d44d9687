// Makes one file of all that the server is made of, so that it need not find, read and link a hundred at each start.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, relative } from "node:path";
import { build, type Plugin } from "esbuild";
import manifest from "../package.json" with { type: "json" };
import { BUNDLE, ROOT, STAMPS, stampOf } from "./bundle-file.cjs";

/** What a start needs. Other packages stay where they are, and are loaded when they are needed. */
const INSIDE = ["commander", "lru-cache"];

const stamps: Record<string, string> = {};
// Another way of making it makes another bundle too.
stamp(relative(ROOT, import.meta.filename));

const sources: Plugin = {
  name: "sources",
  setup({ onLoad }) {
    onLoad({ filter: /./ }, ({ path }) => {
      const place = relative(ROOT, path);
      stamp(place);
      return { contents: atHome(place, readFileSync(path, "utf8")), loader: "default" };
    });
  },
};

/** A source goes on to find its neighbours where it lies itself. Only names that every module has, so that none clashes. */
function atHome(place: string, text: string) {
  const node = (name: string) => `process.getBuiltinModule("node:${name}")`;
  const inRoot = (path: string) => `${node("path")}.join(__dirname, "../../..", ${JSON.stringify(path)})`;
  return text
    .replaceAll("import.meta.dirname", inRoot(dirname(place)))
    .replaceAll("import.meta.url", `${node("url")}.pathToFileURL(${inRoot(place)}).href`);
}

await build({
  entryPoints: [`${import.meta.dirname}/serve.ts`],
  outfile: unfinished(BUNDLE),
  bundle: true,
  platform: "node",
  // An `import` of one of Node's modules reads all that it exports, whole clients and streams among them; `require` does not.
  format: "cjs",
  target: "node22",
  external: Object.keys(manifest.dependencies).filter((name) => !INSIDE.includes(name)),
  plugins: [sources],
});
writeFileSync(unfinished(STAMPS), JSON.stringify(stamps));
// Whole or not at all: a server may be starting.
for (const file of [BUNDLE, STAMPS]) renameSync(unfinished(file), file);

function stamp(place: string) {
  stamps[place] = stampOf(place);
}

function unfinished(file: string) {
  return `${file}.${process.pid}`;
}
