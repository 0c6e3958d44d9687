import { type Endpoint, parameterFor, type Slice } from "../../../api/endpoint.ts";
import { ENDPOINTS } from "../../../api/endpoints.ts";
import { BASE_LANG, type Lang } from "../../../api/enumerations.ts";
import { hasFiles, hasFilesByLang, toFilePath, type Variant } from "../../../api/request/file-path.ts";
import type { Snapshot } from "../../../snapshot/read/snapshot.ts";
import { type ABSENCES, readAnswer, toDataFile } from "./answer.ts";
import type { MissingFile } from "./file-index.ts";
import { BY_NAME, listHeroWords, listTargets, mapNames } from "./words.ts";

/** The datasets that have files; an option may name them. */
export const FILE_DATASETS = ENDPOINTS.filter(hasFiles).map(({ dataset }) => dataset);

export interface FileSelection {
  languages: readonly Lang[];
  /** Datasets with all their ranks and windows; undefined: data that changes little, and the numbers that most programs ask for. */
  datasets?: readonly string[] | undefined;
}

export interface ApiFile {
  path: string;
  /** The title for people. */
  title: string;
  body: Buffer;
}

/** Endpoints of which only the numbers of a week over all ranks are files by default: nearly all of their numbers change each night. */
const BY_WEEK = ["counters", "compatibility"];
const isWeek = ({ rank, days }: Variant) => rank === "all" && days === "7";

/** Makes the files one by one, and adds to `missing` those that the snapshot lacks. */
export function* makeFiles(snapshot: Snapshot, selection: FileSelection, missing: MissingFile[]): Generator<ApiFile> {
  for (const endpoint of ENDPOINTS.filter(hasFiles))
    for (const variant of listVariants(endpoint, selection)) yield* makeVariant(snapshot, endpoint, variant, missing);
  const names = toDataFile(snapshot, mapNames(snapshot));
  yield { path: BY_NAME, title: "Ids of the heroes by language and name", body: names };
}

function listVariants(endpoint: Endpoint, { languages, datasets }: FileSelection): Variant[] {
  const langs = languages.filter((lang) => lang === BASE_LANG || hasFilesByLang(endpoint));
  const variants = langs.flatMap((lang) =>
    valuesOf(endpoint, "lane").flatMap((lane) =>
      valuesOf(endpoint, "rank").flatMap((rank) =>
        valuesOf(endpoint, "days").map((days) => ({ ...lane, ...rank, ...days, lang }) as Variant),
      ),
    ),
  );
  if (datasets) return datasets.includes(endpoint.dataset) ? variants : [];
  const { identifier, dataset } = endpoint;
  if (BY_WEEK.includes(dataset)) return variants.filter(isWeek);
  return identifier ? variants.filter(({ lane, rank, days }) => (lane ?? rank ?? days) === undefined) : variants;
}

function valuesOf(endpoint: Endpoint, dimension: "lane" | "rank" | "days"): Record<string, string>[] {
  const parameter = parameterFor(endpoint, dimension);
  return parameter?.kind === "choice" ? parameter.values.map((value) => ({ [dimension]: value })) : [{}];
}

/** Makes the files of one rank, window, lane and language, for all values of the path parameter. */
function* makeVariant(
  snapshot: Snapshot,
  endpoint: Endpoint,
  variant: Variant,
  missing: MissingFile[],
): Generator<ApiFile> {
  const { dataset, summary: title } = endpoint;
  const { targets, refused } = listTargets(snapshot, endpoint);
  const template = toFilePath(endpoint, variant);
  const absent: MissingFile[] = [];
  const words = namesHeroLast(endpoint) ? listHeroWords(snapshot) : undefined;
  for (const target of targets) {
    const slice: Slice = { dataset, ...target, ...variant };
    const path = toFilePath(endpoint, variant, target.hero ?? target.subject);
    const answer = readAnswer(snapshot, endpoint, slice);
    if ("reason" in answer) {
      absent.push({ path, ...answer });
      continue;
    }
    yield { path, title, ...answer };
    const word = words?.words.get(target.hero ?? 0);
    if (word !== undefined) yield { path: toFilePath(endpoint, variant, word), title, ...answer };
  }
  if (targets.length === 0) absent.push({ path: template, reason: "not-in-snapshot" satisfies keyof typeof ABSENCES });
  missing.push(...summarise(absent, targets.length, template));
  // The words are the same in each language.
  const left = variant.lang === BASE_LANG ? [...refused, ...(words?.refused ?? [])] : [];
  missing.push(...left.map((word) => notAPath(template, word)));
}

/** Tells whether an endpoint has a second path by name: with all others the files would double. */
const namesHeroLast = ({ path }: Endpoint) => path.endsWith("/{hero_identifier}");

const notAPath = (path: string, word: string): MissingFile => ({
  path,
  reason: "not-a-path" satisfies keyof typeof ABSENCES,
  word,
});

/** Summarises in one line if all values of a path parameter are missing for the same reason. */
function summarise(absent: readonly MissingFile[], targets: number, template: string): readonly MissingFile[] {
  const reasons = new Set(absent.map(({ reason }) => reason));
  const [reason = ""] = reasons;
  return targets > 1 && absent.length === targets && reasons.size === 1 ? [{ path: template, reason }] : absent;
}
