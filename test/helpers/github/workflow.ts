import { readFileSync } from "node:fs";
import { parse } from "yaml";

export interface Step {
  id?: string;
  name?: string;
  if?: string;
  uses?: string;
  with?: Record<string, unknown>;
  run?: string;
  env?: Record<string, string>;
}

export interface Workflow {
  env: Record<string, string>;
  jobs: Record<string, { steps: Step[]; permissions?: Record<string, string> }>;
  permissions: Record<string, string>;
}

export const readWorkflow = (file: string): Workflow => parse(readFileSync(file, "utf8"));
