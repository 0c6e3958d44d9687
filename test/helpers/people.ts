import { expect } from "vitest";
import { attributeOf, type Element, elementsOf, parseHtml } from "./html.ts";

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

type Listed = { data: { records: { data: Record<string, unknown> }[] } };

/** The records that the API answers with. */
export async function askApi({ url }: { url: string }, path: string): Promise<Record<string, unknown>[]> {
  const { data } = (await (await fetch(url + path)).json()) as Listed;
  return data.records.map((record) => record.data);
}

/** Head and rows of a CSV in which no value has a comma or a quote. */
export async function readCsv({ url }: { url: string }, path: string): Promise<{ head: string[]; rows: string[][] }> {
  const text = await (await fetch(url + path)).text();
  const [head = [], ...rows] = text
    .trim()
    .split("\n")
    .map((line) => line.split(","));
  return { head, rows };
}

/** Asks the API for the points of each other hero. */
export async function askPoints(mirror: { url: string }, hero: number, endpoint: string, rank: string) {
  const [told] = await askApi(mirror, `/api/academy/heroes/${hero}/${endpoint}?rank=${rank}`);
  const { sub_hero } = told as { sub_hero: { heroid: number; increase_win_rate: number }[] };
  return new Map(sub_hero.map((one) => [one.heroid, one.increase_win_rate]));
}
