import { request } from "undici";
import { canonical } from "../../../src/api/body/canonical.ts";
import { unwrap } from "../../../src/api/body/wrapping.ts";
import { parseSliceId, type Slice } from "../../../src/api/endpoint.ts";
import { endpointOf } from "../../../src/api/endpoints.ts";
import type { Lang } from "../../../src/api/enumerations.ts";
import { slicePath } from "../../../src/crawl/plan.ts";
import type { Draw } from "../draw.ts";
import { startMirror } from "../mirror.ts";
import { type Books, dayOf } from "./books.ts";
import type { Days } from "./upstream.ts";

/** Slices that are asked for after each night. */
const QUESTIONS = 12;

/** Asks a mirror for some slices of the last night; what it answers otherwise than the upstream did when it was asked. */
export async function judgeServed(
  draw: Draw,
  file: string,
  { rows }: Books,
  days: Days,
  languages: readonly Lang[],
): Promise<string[]> {
  await using mirror = await startMirror(file);
  const ids = draw.shuffle([...rows().keys()]).slice(0, QUESTIONS);
  const faults: string[] = [];
  for (const id of ids) {
    const base = parseSliceId(id);
    const endpoint = endpointOf(base.dataset);
    const slice: Slice = endpoint.text === "all" ? base : { ...base, lang: draw.pick(languages) };
    const at = rows().get(id)?.asked_at ?? null;
    const path = slicePath(endpoint, slice, 1);
    const { statusCode, headers, body } = await request(mirror.url + path);
    const answer = (await body.json()) as { error?: { code: string } };
    // A text that no list has in that language any more cannot be shown in it.
    const mayLack = at === null || (slice.lang !== base.lang && endpoint.text !== "none");
    if (mayLack && answer.error?.code === "SLICE_NOT_CAPTURED") continue;
    if (at === null || statusCode !== 200) {
      faults.push(`${path} of ${at}: ${statusCode} ${JSON.stringify(answer).slice(0, 300)}`);
      continue;
    }
    const told = String(headers["x-data-at"]);
    const said = await days.recordsOf(slice, dayOf(at));
    // It is also of the lists that its texts are from.
    if (slice.lang === base.lang ? told !== at : told > at) faults.push(`${path}: is of ${told}, not of ${at}`);
    else if (unwrap(endpoint.wrapping, answer).map(canonical).join() !== said.map(canonical).join())
      faults.push(`${path} of ${at}: is not what was said then`);
  }
  return faults;
}
