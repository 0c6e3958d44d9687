import { test } from "vitest";
import { expectTablesOfArchive } from "../helpers/expected-tables.ts";
import { world } from "../helpers/world.ts";

test("the analysts' tables of a whole night have exactly the rows of the archive, with every value as it was sent", () => {
  expectTablesOfArchive(world.snapshot);
});
