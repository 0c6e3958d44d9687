import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

export const PROMETHEUS = join(import.meta.dirname, "..", "..", "scripts", "deploy", "prometheus");

export interface Alert {
  alert: string;
  expr: string;
  for?: string;
  labels: { severity: string };
  annotations: { summary: string; description: string };
}

interface AlertFile {
  groups: { name: string; rules: Alert[] }[];
}

/** The rules of `alerts.yml`. */
export const ALERTS = (parse(readFileSync(join(PROMETHEUS, "alerts.yml"), "utf8")) as AlertFile).groups.flatMap(
  ({ rules }) => rules,
);
