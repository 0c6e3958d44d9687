import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { PROJECT } from "../../base/project.ts";
import { TOUCH_ICON_BASE64 } from "./site/touch-icon.ts";

/** A file that pages name by the hash of its content: it never changes. */
export interface Asset {
  path: string;
  contentType: string;
  /** A module that runs WebAssembly: as a worker, it has its own policy. */
  webAssembly?: boolean;
  read: () => string | Buffer;
}

/** The folder into which `npm run assets` puts what browsers run and show pages by. */
const FOLDER = join(PROJECT, ".assets");

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".wasm": "application/wasm",
};

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0550ae"/><path d="M3 12V4l5 5 5-5v8" fill="none" stroke="#fff" stroke-width="2"/></svg>`;

const toAsset = (name: string, read: Asset["read"]): Asset => ({
  path: `/assets/${name}`,
  contentType: CONTENT_TYPES[extname(name)] ?? "application/octet-stream",
  read,
});

const written = (name: string, ending: string, content: string | Buffer): Asset =>
  toAsset(`${name}.${hash("sha256", content, "hex").slice(0, 12)}.${ending}`, () => content);

export const FAVICON = written("icon", "svg", ICON);
export const TOUCH_ICON = written("icon", "png", Buffer.from(TOUCH_ICON_BASE64, "base64"));

/** What the build says that it has written (https://esbuild.github.io/api/#metafile). */
interface Metafile {
  outputs: Record<string, { entryPoint?: string; imports: { path: string }[] }>;
}

/** Scripts by the name of their module, and the stylesheet; empty if nothing was built. */
const entries = new Map<string, Asset>();
const assets = new Map([FAVICON, TOUCH_ICON].map((one) => [one.path, one]));

const metafile = join(FOLDER, "meta.json");
if (existsSync(metafile)) {
  const { outputs } = JSON.parse(readFileSync(metafile, "utf8")) as Metafile;
  for (const [file, { entryPoint, imports }] of Object.entries(outputs)) {
    const name = basename(file);
    const webAssembly = imports.some(({ path }) => path.endsWith(".wasm"));
    const asset = { ...toAsset(name, () => readFileSync(join(FOLDER, name))), webAssembly };
    assets.set(asset.path, asset);
    if (entryPoint) entries.set(basename(entryPoint, ".ts"), asset);
  }
}

/** Whether pages have scripts and styles; without them they show the same as tables. */
export const hasScripts = (): boolean => entries.size > 0;

/** The path of a module in `src/extra/pages/browser`, by its name without ending. */
export const scriptPath = (name: string): string | undefined => entries.get(name)?.path;

export const stylePath = (): string | undefined => entries.get("style.css")?.path;

export const findAsset = (path: string): Asset | undefined => assets.get(path);
