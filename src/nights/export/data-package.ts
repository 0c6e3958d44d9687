import { isSample } from "../../api/sample-data.ts";
import { toListDocument } from "../../base/files.ts";
import type { SnapshotTable } from "../../snapshot/schema/row-types.ts";

export const PACKAGE_NAME = "datapackage.json";

/** A file, or files that are one table, with what the standard says of it. */
export interface PackageResource {
  name: string;
  path: string | readonly string[];
  [property: string]: unknown;
}

/** A Data Package (https://datapackage.org/standard/data-package/), with a line for each resource. */
export function toPackageText(head: SnapshotTable, what: string, resources: readonly PackageResource[]): string {
  const { version, started_at: created, licence, attribution } = head;
  const facts = {
    $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
    name: `metasnap-${what}`,
    version,
    created,
    sample: isSample(head),
    licence,
    sources: [{ title: attribution }],
  };
  return toListDocument(facts, { resources });
}
