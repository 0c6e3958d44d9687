import { expect } from "vitest";
import type { Sample } from "../../src/extra/sample/service/server.ts";

type Sub = { heroid: number; hero_index: number; increase_win_rate: number };
type Slot = "" | { data: { road_sort_id: string } };
type Skill = { skillid: number; skillname: string; skilldesc: string; skilltag: { tagname: string }[] };
type Hero = Record<"roadsort" | "sortid", Slot[]> &
  Record<"roadsortlabel" | "sortlabel" | "speciality" | "recommendlevel", string[]> &
  Record<"name" | "story", string> & { heroskilllist: { skilllist: Skill[] }[] };
type Relation = { desc: string; target_hero: unknown[]; target_hero_id: number[] };
type Data = Record<"hero_id" | "main_heroid", number> &
  Record<"main_hero_win_rate" | "main_hero_ban_rate" | "main_hero_appearance_rate", number> &
  Record<"sub_hero" | "sub_hero_last", Sub[]> & {
    hero: { data: Hero };
    relation: Record<"assist" | "strong" | "weak", Relation>;
    win_rate: { date: string; win_rate: number }[];
  };
export type Rec = { id: number; caption: string; createdAt: number; _updatedAt: number; data: Data };

type Asked = Pick<Sample, "url">;

export async function ask({ url }: Asked, path: string, init?: RequestInit) {
  const response = await fetch(url + path, { redirect: "manual", ...init });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.includes("json") && text !== "";
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : null };
}

export async function askPage(sample: Asked, path: string): Promise<{ records: Rec[]; total: number }> {
  const { status, text, body } = await ask(sample, path);
  expect(status, text).toBe(200);
  expect(body).toMatchObject({ code: 0, message: "OK" });
  return body.data;
}

export async function askOne(sample: Asked, path: string): Promise<Rec> {
  const { records, total } = await askPage(sample, path);
  const [record] = records;
  if (!record || records.length + total !== 2) throw new Error(`${path}: ${records.length} of ${total} records`);
  return record;
}

export async function askHeroIds(sample: Asked, path: string): Promise<number[]> {
  return (await askPage(sample, path)).records.map(({ data }) => data.hero_id);
}

export const upTo = (count: number) => Array.from({ length: count }, (_, i) => i + 1);
export const wordsOf = (text: string) => text.trim().split(/\s+/);
export const ascending = (a: number, b: number) => a - b;
export const descending = (a: number, b: number) => b - a;
