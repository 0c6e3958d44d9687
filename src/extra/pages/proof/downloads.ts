import { hash } from "node:crypto";
import type { PublishedFile } from "../../../snapshot/read/shown.ts";
import { addressOn } from "../facts.ts";
import type { Figures } from "../figures.ts";
import { table } from "../format.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";

const code = (sha256: string) => html`<code>${sha256}</code>`;

/** Everything of the snapshot that is served, with what proves it; then the other snapshots. */
export function downloads(context: PageContext): Html {
  const { published, others } = context;
  const file = published();
  const head = html`<h2>Downloads</h2>`;
  if (!file) return html`${head}<p>The file that is served was not published here, so it cannot be fetched.</p>`;
  return html`${head}
${table(
  "This snapshot",
  [{ head: "File" }, { head: "What it is" }, { head: "Size", number: true }, { head: "SHA-256" }],
  filesOf(file, context.figures),
)}
${allPublished(context, others.list(), file)}
<p><a href="/snapshots/">The list as JSON</a>. Each snapshot answers <a href="/snapshots/${file.version}/api/">the whole API</a> under its version, for ever.</p>`;
}

function filesOf(
  { version, size, sha256, compressed, analysts, history, changes, manifest, signature }: PublishedFile,
  { bytes }: Figures,
) {
  const base = `/snapshots/${version}`;
  const line = (path: string, what: string, { size, sha256 }: { size: number; sha256: string }) => [
    html`<a href="${path}">${path.slice("/snapshots/".length)}</a>`,
    what,
    bytes(size),
    code(sha256),
  ];
  const factsOf = (text: string) => ({ size: Buffer.byteLength(text), sha256: hash("sha256", text, "hex") });
  return [
    line(`${base}.sqlite`, "Everything: records as they were sent, tables, proof", { size, sha256 }),
    ...(compressed ? [line(`${base}.sqlite.zst`, "The same, compressed by zstd", compressed)] : []),
    ...(analysts ? [line(`${base}.analysts.sqlite`, "The tables without the records, for analysts", analysts)] : []),
    ...(history ? [line(`${base}.history.sqlite.zst`, "The nights before it in one file, compressed", history)] : []),
    ...(changes ? [line(`${base}/changes.json`, "What changed since the night before", changes)] : []),
    line(`${base}.json`, "Its manifest: hashes, counts, crawl report", factsOf(manifest)),
    ...(signature === undefined
      ? []
      : [line(`${base}.json.minisig`, "Signature of the manifest, for minisign", factsOf(signature))]),
  ];
}

const MOST_FILES = 100;

function allPublished(context: PageContext, files: readonly PublishedFile[], served: PublishedFile): Html {
  const { bytes, count, time } = context.figures;
  const shown = files.slice(0, MOST_FILES);
  return html`<details><summary>${files.length === 1 ? "The one published snapshot" : html`All ${count(files.length)} published snapshots`}</summary>${table(
    shown.length < files.length ? `The last ${MOST_FILES} that were published` : "The last published first",
    [
      { head: "File" },
      { head: "Crawled" },
      { head: "Size", number: true },
      { head: "SHA-256" },
      { head: "More of it" },
      { head: "State" },
    ],
    shown.map((snapshot) => [
      html`<a href="/snapshots/${snapshot.version}.sqlite">${snapshot.version}.sqlite</a>`,
      time(snapshot.started_at),
      bytes(snapshot.size),
      code(snapshot.sha256),
      more(context, snapshot),
      snapshot.version === served.version ? "served" : snapshot.withdrawn ? "withdrawn" : "–",
    ]),
  )}</details>`;
}

const more = (context: PageContext, { version, signature, compressed, analysts, changes }: PublishedFile): Html =>
  html`<a href="/snapshots/${version}.json">manifest</a>${
    signature !== undefined && html`, <a href="/snapshots/${version}.json.minisig">signature</a>`
  }${
    compressed && html`, <a href="/snapshots/${version}.sqlite.zst">zstd</a> ${context.figures.bytes(compressed.size)}`
  }${
    analysts &&
    html`, <a href="/snapshots/${version}.analysts.sqlite">tables</a> ${context.figures.bytes(analysts.size)}`
  }${changes && html`, <a href="${addressOfChanges(context, version)}">changes</a>`}`;

const addressOfChanges = (context: PageContext, version: string): string => {
  const night = { name: "night", label: "Night", options: [{ value: version, label: version }], fallback: "" };
  return addressOn(context, "/changes", [night], { night: version });
};
