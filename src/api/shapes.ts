import type * as z from "zod";
import * as academy from "./records/academy.ts";
import * as builds from "./records/builds.ts";
import * as calculator from "./records/calculator.ts";
import * as hero from "./records/hero.ts";
import * as ratings from "./records/ratings.ts";
import * as statistics from "./records/statistics.ts";

/**
 * The shapes of the records, by the names that the table of endpoints gives. They stand apart from it because they take
 * longer to load than a server may take to start, which checks no record.
 */
const SHAPES = { ...academy, ...builds, ...calculator, ...hero, ...ratings, ...statistics };

export type Shapes = typeof SHAPES;

export const shapeOf = ({ record }: { record: keyof Shapes }): z.ZodType => SHAPES[record];
