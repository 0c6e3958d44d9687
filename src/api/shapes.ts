import type * as z from "zod";
import type { Endpoint } from "./endpoint.ts";
import * as academy from "./records/academy.ts";
import * as hero from "./records/hero.ts";
import * as statistics from "./records/statistics.ts";

/**
 * The shapes of the records, by the names that the table of endpoints gives. They stand apart from it because they take
 * longer to load than a server may take to start, which checks no record.
 */
export const SHAPES = { ...academy, ...hero, ...statistics };

export type Shapes = typeof SHAPES;

export const shapeOf = ({ record }: Endpoint): z.ZodType => SHAPES[record];
