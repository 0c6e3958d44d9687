import type { Journal } from "../../journal/journal.ts";

/** The page size in records: the whole roster in one answer, so that a list is of one moment. */
export const PAGE_SIZE = 200;
/** The default of the specification: no upstream refuses it for its size. */
const LEAST_SIZE = 20;

/** Statuses by which a service may refuse a page for its size. */
const REFUSING = [400, 413, 422];

/** Page sizes, which are learned: the specification names no maximum. */
export interface PageSizes {
  /** Returns the size that is asked for now. */
  current(): number;
  /** Notes that a page of this size was answered. */
  held(dataset: string, size: number): void;
  /** Returns a smaller size to try if an answer with this status may be about the size; undefined if it is not. */
  smaller(dataset: string, size: number, status: number | undefined): number | undefined;
}

export function createPageSizes(journal: Pick<Journal, "getState" | "setState">): PageSizes {
  let current = journal.getState("page_size") ?? PAGE_SIZE;
  /** Endpoints that have answered, with the largest size that they have. */
  const answered = new Map<string, number>();
  /** Endpoints that refuse the least size too: their refusals are not about the size. */
  const others = new Set<string>();
  return {
    current: () => current,
    held(dataset, size) {
      answered.set(dataset, Math.max(size, answered.get(dataset) ?? 0));
      if (size >= current) return;
      current = size;
      journal.setState("page_size", size);
    },
    smaller(dataset, size, status) {
      if (status === undefined || !REFUSING.includes(status) || others.has(dataset)) return undefined;
      if ((answered.get(dataset) ?? 0) >= size) return undefined;
      if (size <= LEAST_SIZE) {
        others.add(dataset);
        return undefined;
      }
      return Math.max(LEAST_SIZE, Math.floor(size / 2));
    },
  };
}
