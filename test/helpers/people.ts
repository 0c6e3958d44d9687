import { expect } from "vitest";
import { attributeOf, type Element, elementsOf, numberIn, parseHtml, rowsOf, tableOf } from "./html.ts";

/** A page for people, of a mirror that has it. */
export async function openPage({ url }: { url: string }, path: string): Promise<Element> {
  const response = await fetch(url + path);
  expect(response.status, path).toBe(200);
  const text = await response.text();
  expect(text, path).not.toContain("[object ");
  return parseHtml(text);
}

/** The hero that a cell links to. */
export const idOf = (cell: Element | undefined) =>
  Number(/\d+/.exec(attributeOf(cell && elementsOf(cell, "a")[0], "href") ?? "")?.[0]);

/** The rows of a tier list. */
export const readTiers = (document: Element, caption: string) =>
  rowsOf(tableOf(document, caption)).map(([, hero, win, pick, ban]) => ({
    hero_id: idOf(hero),
    name: (hero && elementsOf(hero, "a")[0]?.text) ?? "",
    win_rate: numberIn(win),
    appearance_rate: numberIn(pick),
    ban_rate: numberIn(ban),
  }));

interface Listed {
  data: { records: { data: Record<string, unknown> }[] };
}

/** The records that the API answers with. */
export async function askApi({ url }: { url: string }, path: string): Promise<Record<string, unknown>[]> {
  const { data } = (await (await fetch(url + path)).json()) as Listed;
  return data.records.map((record) => record.data);
}
