import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { startServer } from "../server.ts";
import { sendFile } from "../upstream/source.ts";

export interface Release {
  tag: string;
  draft: boolean;
  notes: string;
  target: string;
  number: number;
}

export const readReleases = (store: string): Release[] =>
  readdirSync(store)
    .filter((tag) => existsSync(join(store, tag, "release.json")))
    .map((tag) => JSON.parse(readFileSync(join(store, tag, "release.json"), "utf8")))
    .sort((a, b) => a.number - b.number);

/** What `gh` keeps in a folder, at the addresses of GitHub: drafts are not there, the latest is a redirect. */
export const serveReleases = (store: string, repository: string) =>
  startServer((req, res) => {
    const at = `/${repository}/releases/`;
    const path = req.url?.startsWith(at) ? req.url.slice(at.length) : "";
    const published = readReleases(store).filter(({ draft }) => !draft);
    const [, latest] = /^latest\/download\/([\w.-]+)$/.exec(path) ?? [];
    const newest = published.at(-1)?.tag;
    if (latest && newest) return res.writeHead(302, { location: `${at}download/${newest}/${latest}` }).end();
    const [, tag = "", name = ""] = /^download\/([\w.-]+)\/([\w.-]+)$/.exec(path) ?? [];
    const file = join(store, tag, "assets", name);
    if (!published.some((one) => one.tag === tag) || !existsSync(file)) return res.writeHead(404).end();
    sendFile(file, "", req, res);
  });
