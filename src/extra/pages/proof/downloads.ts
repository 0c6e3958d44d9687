import { hash } from "node:crypto";
import type { PublishedFile } from "../../../snapshot/read/shown.ts";
import { addressOn } from "../facts.ts";
import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { column, type PageColumn, showTable } from "../report.ts";

/** Lists the files of the snapshot that is served, with what proves them; then the other snapshots. */
export function downloads(context: PageContext): Html {
  const { published, others } = context;
  const file = published();
  const head = html`<h2>Downloads</h2>`;
  if (!file) return html`${head}<p>The file that is served was not published here, so it cannot be fetched.</p>`;
  const columns = [
    column.text("link", "File"),
    column.text("what", "What it is"),
    column.bytes("size", "Size"),
    column.code("sha256", "SHA-256"),
  ];
  return html`${head}
${showTable(context, { caption: "This snapshot", columns, rows: filesOf(file) })}
${allPublished(context, others.list(), file)}
<p><a href="/snapshots/">The list as JSON</a>. Each snapshot answers <a href="/snapshots/${file.version}/api/">the whole API</a> under its version, for ever.</p>`;
}

function filesOf({
  version,
  size,
  sha256,
  compressed,
  analysts,
  history,
  changes,
  manifest,
  signature,
}: PublishedFile) {
  const line = (ending: string, what: string, file: { size: number; sha256: string } | undefined) => {
    const link = html`<a href="/snapshots/${version}${ending}">${version}${ending}</a>`;
    return file ? [{ link, what, size: file.size, sha256: file.sha256 }] : [];
  };
  const factsOf = (text: string) => ({ size: Buffer.byteLength(text), sha256: hash("sha256", text, "hex") });
  return [
    line(".sqlite", "Everything: records as they were sent, tables, proof", { size, sha256 }),
    line(".sqlite.zst", "The same, compressed by zstd", compressed),
    line(".analysts.sqlite", "The tables without the records, for analysts", analysts),
    line(".history.sqlite.zst", "The nights before it in one file, compressed", history),
    line("/changes.json", "What changed since the night before", changes),
    line(".json", "Its manifest: hashes, counts, crawl report", factsOf(manifest)),
    line(
      ".json.minisig",
      "Signature of the manifest, for minisign",
      signature === undefined ? undefined : factsOf(signature),
    ),
  ].flat();
}

const MOST_FILES = 100;

function allPublished(context: PageContext, files: readonly PublishedFile[], served: PublishedFile): Html {
  const rows = files.slice(0, MOST_FILES);
  const columns: PageColumn<PublishedFile>[] = [
    column.text(({ version }) => html`<a href="/snapshots/${version}.sqlite">${version}.sqlite</a>`, "File"),
    column.time("started_at", "Crawled"),
    column.bytes("size", "Size"),
    column.code("sha256", "SHA-256"),
    column.text((snapshot) => more(context, snapshot), "More of it"),
    column.text(
      ({ version, withdrawn }) => (version === served.version ? "served" : withdrawn ? "withdrawn" : "–"),
      "State",
    ),
  ];
  const caption =
    rows.length < files.length ? `The last ${MOST_FILES} that were published` : "The last published first";
  return html`<details><summary>${files.length === 1 ? "The one published snapshot" : html`All ${context.figures.count(files.length)} published snapshots`}</summary>${showTable(context, { caption, columns, rows })}</details>`;
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
