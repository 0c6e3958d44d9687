import { type Html, html } from "../html.ts";
import type { PageContext } from "../page.ts";
import { type PageReport, showTable } from "../report.ts";

/** Rows of a table at most; the JSON has all. */
export const MOST_ROWS = 100;

/** One kind of change. */
export interface NewsSection {
  /** The anchor of links to it. */
  id: string;
  head: string;
  count: number;
  body: Html;
}

interface NewsReport<Row extends object> extends PageReport<Row> {
  id: string;
  head: string;
  note?: string;
  folded?: boolean;
}

/** The first rows under a heading, and how many there are; undefined without rows. */
export function newsTable<Row extends object>(context: PageContext, report: NewsReport<Row>): NewsSection | undefined {
  const { id, head, rows, note, folded } = report;
  const listing = firstRows(context, report);
  if (!listing) return undefined;
  const { asTable } = context.messages.mirror.changes;
  const part = folded
    ? html`<details><summary>${asTable({ shown: Math.min(rows.length, MOST_ROWS), all: rows.length })}</summary>${listing}</details>`
    : listing;
  return { id, head, count: rows.length, body: html`${note !== undefined && html`<p>${note}</p>`}${part}` };
}

export function firstRows<Row extends object>(context: PageContext, report: PageReport<Row>): Html | undefined {
  const { caption, rows: all } = report;
  if (all.length === 0) return undefined;
  const rows = all.slice(0, MOST_ROWS);
  const said = { caption, shown: rows.length, all: all.length };
  const told = rows.length < all.length ? context.messages.mirror.changes.firstRows(said) : caption;
  return showTable(context, { ...report, caption: told, rows });
}
