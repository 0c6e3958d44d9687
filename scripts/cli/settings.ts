import type { Command } from "commander";
import { mask } from "../../src/api/sanitize.ts";
import { formatTime } from "./options/pull.ts";

/** Describes each setting that is not the default in one line: its value, and its origin. */
export function describeSettings(command: Command): string[] {
  const rows = command.options.flatMap((option) => {
    if (option.envVar === undefined) return [];
    const key = option.attributeName();
    const source = command.getOptionValueSource(key);
    if (source !== "env" && source !== "cli") return [];
    const from = source === "env" ? option.envVar : option.long;
    const given: unknown = command.getOptionValue(key);
    const value = option.negate && typeof given === "boolean" ? !given : given;
    const text = option.flags.endsWith("<time>") && typeof value === "number" ? formatTime(value) : toText(value);
    return [[`  ${option.name()}`, text, `(${from})`]];
  });
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const line = (row: string[]) =>
    row
      .map((cell, column) => cell.padEnd(width(column)))
      .join("  ")
      .trimEnd();
  return rows.map(line);
}

function toText(value: unknown): string {
  if (value === undefined) return "-";
  if (value instanceof Map) return [...value].map(([key, ms]) => `${key}=${ms / 3_600_000}h`).join(",");
  if (Array.isArray(value)) return value.map(toText).join(",");
  const text = typeof value === "object" && value !== null && "text" in value ? value.text : value;
  return mask(String(text));
}
