import { hash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";
import { PROJECT } from "../../base/project.ts";

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

/** The icon without corners, which phones round themselves: PNG, 180 × 180, as they take no SVG. */
const TOUCH_ICON_BASE64 =
  "iVBORw0KGgoAAAANSUhEUgAAALQAAAC0CAIAAACyr5FlAAAFQklEQVR4nOzczWpdVRjG8SehqYr98hut1CKKgqXgvPEaegOOREeCA3FUB0pSBxadtANRRKQiOjCjDhRjvQO/S6VSxLuQUpKudsNpKHnS5px99l7vu/7/QSkhJzln58de+2utPUsn10S0XYsiMoGDbOAgGzjIBg6ygYNs4CAbOMgGDrKBg2zgIBs4yAYOsoGDbOAgGzjIBg6ygYNs4CAbOMgGDrKBg2zgIBs4yAYOsoGDbOAgGzjIBg6ygYNs4CAbOMgGDrINiuPIYw+IZmjgDTgojvXV5cOP3C+aqrLpygbUgA2K4+jjD/78wSv4mKKy0cqmKxtQAzb0MQc+pmgUGRrlgBQfu2osGRrrbAUf99iIMjTiqSw+7tq4MjTudQ587NDoMjT6RTB8bFsNMlTDFVJ83FElMlTJ5XN8TKpHhuq5t4IPVSZDVd14a9xHbTJU213ZzscTh+5TY1UoQxXesm/QR50yVOfzHM89ua8dH+Vj1ilD1T7s04iPmmWo5ifB0vvoZJSPqVqr+jHBxD7ql6H6nyFN6SOEDIV4wDiZjygyFOXp8zQ+AslQoKkJZYOur8b2Ud78xdNhZCjWvJUXDgfef3T7jOefCiND4SY1BR1fYo0mk+LNeAvnI6gMBZ0OGchHXBmKO1e28/Hogb2quNAyFHoiddno5eC/Wh9FRjm9iitD0WfZv/j0/jp9dPuMcnqlyIVfgqFCH+XNhB5NJmVYn6MqH+VtxLrStUNJFm+pxEcno7wZpSjPyj6j+0gmQ8mWfRrRRz4Zyrcm2Cg+UspQygXjBvaRVYayriY4mI/EMpR4qckBfOSWodzrkM7VR3oZSr9IbefjoX1L6rUWZKiFFYzLn/Cn1eUefTQiQ40sb33smYN9+WhHhtpZ+7z4+HFl+eH9Mx1/FBnlhzQiQyFwvPnJb+qj40cPrq+cmHr/0e0zXjpyQDO3ubn5+tlfVH0BcHz6w799+Zh6fCkv6Ws0KTLeOPfrlxf/U/XFGFbG9VG+ubykr9EkigwFOuYYy0cno7xEfVQ+QhQZinVAOryP3mWUj6A4BTtbGdJH4zIU8VR2GB/IUNDrHPP2gYyuqBfB5ucDGZMCXyGdhw9kbG2PIlc2/d6lxY9fO66ZKyC+f//E4uJCXzLe+uz30DIUHUfp3IWrC9JHffh4+dlD6qno+4yu8DhKZy9cVU8+eimHDOXAoZp8pJGhNDhUh49MMpQJh8b28fbnf2SSoWQ4NJ6PIqP71ZnKhkNj+EgpQylxaFgfWWUoKw4N5SOxDCXGofn7yC1DuXFonj7Sy1ALUxPKn/DU+b/Uay3IUCPzVs6s/XPq/CX11Dtf/NmCDKUfViadWbsibZ5+9Zhmq5F9RlcrOHRr/1H+ncVHUzLUFA7N5qM1GWoNh6b10aAMNYhDu/dRTnYalKE2cWg3PoqM7psbrFEcujcfLctQyzh0Nx+Ny1DjOOR9IEPtrOyzQwXByrd/b/0KMrrAcbOVby5/+N2V7v/ImNT6sDLp3a8uXd/Y+P/aBjImgeN27319WbQlhhWygYNs4CAbOMgGDrKBg2zgIBs4yAYOsoGDbOAgGzjIBg6ygYNsg96yv+OBq8arf2ssLJ1cE9F2MayQDRxkAwfZwEE2cJANHGQDB9nAQTZwkA0cZAMH2cBBNnCQDRxkAwfZwEE2cJANHGQDB9nAQTZwkA0cZAMH2cBBNnCQDRxkAwfZwEE2cJANHGQDB9nAQTZwkA0cZAMH2cBBNnCQDRxkAwfZwEE2cJANHGQDB9nAQTZwkA0cZAMH2cBBNnCQ7QYAAAD//7lpZxgAAAAGSURBVAMADwbyzF7UCi4AAAAASUVORK5CYII=";

const toAsset = (name: string, read: Asset["read"]): Asset => ({
  path: `/assets/${name}`,
  contentType: CONTENT_TYPES[extname(name)] ?? "application/octet-stream",
  read,
});

const written = (name: string, ending: string, content: string | Buffer): Asset =>
  toAsset(`${name}.${hash("sha256", content, "hex").slice(0, 12)}.${ending}`, () => content);

export const FAVICON = written("icon", "svg", ICON);
export const TOUCH_ICON = written("icon", "png", Buffer.from(TOUCH_ICON_BASE64, "base64"));

/** The files that the build says it has written (https://esbuild.github.io/api/#metafile). */
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

/** True if pages have scripts and styles; without them they show the same as tables. */
export const hasScripts = (): boolean => entries.size > 0;

/** The path of a module in `src/extra/pages/browser`, by its name without ending. */
export const scriptPath = (name: string): string | undefined => entries.get(name)?.path;

export const stylePath = (): string | undefined => entries.get("style.css")?.path;

export const findAsset = (path: string): Asset | undefined => assets.get(path);
