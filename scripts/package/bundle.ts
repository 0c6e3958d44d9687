import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { basename, dirname, join, relative, resolve } from "node:path";
import { build, type Plugin } from "esbuild";
import { PROJECT } from "../../src/base/project.ts";

/** Libraries with a binary cannot be bundled: npm installs them. */
const INSTALLED = ["better-sqlite3"];

/** Programs that are started as a process or a thread, in the words that start them. */
const STARTED = /\bprogramFile\("([^"]+)"\)/g;

const readStarted = (): string[] =>
  globSync("src/**/*.ts", { cwd: PROJECT }).flatMap((file) =>
    [...readFileSync(join(PROJECT, file), "utf8").matchAll(STARTED)].map(([, path = ""]) => path),
  );

/** Leaves files that any Node must be able to read beside the programs: a program names them from the folder that it is put into. */
const besidePrograms: Plugin = {
  name: "beside-programs",
  setup({ onResolve }) {
    onResolve({ filter: /^\..*\.cjs$/ }, ({ path, resolveDir }) => ({
      path: `../${relative(PROJECT, resolve(resolveDir, path))}`,
      external: true,
    }));
  },
};

/**
 * An import of a module of Node reads all that the module has, and so loads what is seldom used: of `node:http` the `fetch` of
 * Node, a quarter of a server's start. A `require` reads what is used.
 */
const nodeAsUsed: Plugin = {
  name: "node-as-used",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[\w:/]+$/ }, ({ path, kind }) => {
      if (!isBuiltin(path)) return undefined;
      return kind === "import-statement" ? { path, namespace: "node" } : { path, external: true };
    });
    onLoad({ filter: /.*/, namespace: "node" }, ({ path }) => ({ contents: `module.exports = require("${path}");` }));
  },
};

/** Libraries in the form of CommonJS ask Node for its modules by `require`. */
const REQUIRE = `import { createRequire as createBundleRequire } from "node:module";
const require = createBundleRequire(import.meta.url);`;

/**
 * Writes programs as JavaScript with their libraries: a start reads a few files instead of six hundred. What they share is a file of
 * its own. Names stay as they are, so that a trace of a fault can be read. Returns the files of libraries that went in.
 */
async function bundle(programs: readonly string[], folder: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: PROJECT,
    entryPoints: programs.map((path) => ({ in: path, out: basename(path, ".ts") })),
    outdir: folder,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22.19",
    external: INSTALLED,
    plugins: [besidePrograms, nodeAsUsed],
    banner: { js: REQUIRE },
    chunkNames: "chunk-[hash]",
    legalComments: "none",
    charset: "utf8",
    metafile: true,
    logLevel: "warning",
  });
  return Object.keys(metafile.inputs).filter((path) => path.startsWith("node_modules/"));
}

/** Bundles the commands, with the programs that they start. A server shares no files with others: it starts from a quarter of them. */
export async function bundlePrograms(commands: readonly string[], folder: string): Promise<string[]> {
  const alone = commands.filter((path) => basename(path) === "serve.ts");
  const shared = [...commands.filter((path) => !alone.includes(path)), ...readStarted()];
  return [...(await bundle(alone, folder)), ...(await bundle(shared, folder))];
}

/** The one command of the package, in words that Node 18 reads: what it asks of a library goes in, too. */
export const bundleLauncher = (path: string, folder: string) =>
  build({
    absWorkingDir: PROJECT,
    entryPoints: [path],
    outfile: join(folder, path),
    allowOverwrite: true,
    bundle: true,
    platform: "node",
    target: "node18",
    plugins: [
      {
        name: "manifest-of-the-package",
        setup: ({ onResolve }) => onResolve({ filter: /\/package\.json$/ }, ({ path }) => ({ path, external: true })),
      },
    ],
    legalComments: "none",
    logLevel: "warning",
  });

/** Collects the licences of the bundled libraries, which have to be passed on with them. */
export function collectNotices(inputs: readonly string[]): string {
  const folders = new Set(
    inputs.map((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? dirname(path)),
  );
  return [...folders]
    .sort()
    .map((folder) => {
      const { name, version } = JSON.parse(readFileSync(join(PROJECT, folder, "package.json"), "utf8"));
      const [file] = globSync("{LICEN[CS]E,licen[cs]e}*", { cwd: join(PROJECT, folder) }).sort();
      if (file === undefined) throw new Error(`${folder}: has no licence to hand on`);
      return `${name} ${version}\n\n${readFileSync(join(PROJECT, folder, file), "utf8").trim()}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}
