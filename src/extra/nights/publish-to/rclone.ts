import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { EXIT, Failure } from "../../../api/failure.ts";
import { mask } from "../../../api/sanitize.ts";

/** Settings that override a configuration by which rclone would print more, or not do its work. */
const SETTINGS = {
  RCLONE_PROGRESS: "false",
  RCLONE_VERBOSE: "0",
  RCLONE_LOG_LEVEL: "ERROR",
  RCLONE_DRY_RUN: "false",
};

/** The exit code if the remote, or a folder of it, is not there (yet). */
const NOT_FOUND = 3;

/** The error of a remote that is not configured, unlike that of one that is away. */
const NO_REMOTE =
  /didn't find (?:section in config|backend called)|unsupported protocol scheme|couldn't parse|is it obscured|config name contains/;

/**
 * Runs rclone and returns its stdout; empty if the file or folder is not there. Rejects with a Failure of one line, without secrets of the
 * remote: `usage` if rclone or the remote does not exist, else `unreachable`.
 */
export async function runRclone(words: readonly string[], remote: string, signal?: AbortSignal): Promise<string> {
  const child = spawn("rclone", words, {
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, ...SETTINGS },
    ...(signal && { signal }),
  });
  const ended = once(child, "close") as Promise<[number | null]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), ended]).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      const hint = "install it (`apt-get install rclone`), or name a folder";
      throw new Failure(EXIT.usage, "rclone: is not installed, and a remote needs it", hint);
    },
  );
  if (code === 0) return stdout;
  if (code === NOT_FOUND) return "";
  const said = hideSecretsIn(lastError(stderr), remote) || `ended with ${code}`;
  const isUnknown = NO_REMOTE.test(said);
  const hint = isUnknown
    ? "`rclone config` makes a remote, `rclone listremotes` lists them"
    : "run the same command again to resume";
  throw new Failure(isUnknown ? EXIT.usage : EXIT.unreachable, `${hideSecrets(remote)}: rclone: ${said}`, hint);
}

/** Returns the last error without the time, with the lines that continue it. */
function lastError(stderr: string): string {
  const lines = stderr.trim().split("\n");
  const start = lines.findLastIndex((line) => /\b(?:ERROR|CRITICAL|NOTICE|Failed)\b/.test(line));
  return lines
    .slice(Math.max(0, start))
    .join("; ")
    .replace(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /, "");
}

/**
 * The parameters in a remote such as `:s3,provider=Other,secret_access_key='a:b':bucket/path`: values are bare, without commas and colons,
 * or in quotes, which are doubled inside.
 */
const VALUE = `(?:"(?:[^"]|"")*"|'(?:[^']|'')*'|[^,:"'][^,:]*|)`;
const PARAMETERS = new RegExp(`^(:?[^,:]*)((?:,[^=,:]*(?:=${VALUE})?)+)(:.*)?$`, "s");
const PARAMETER = new RegExp(`,([^=,:]*)=(${VALUE})`, "gs");

/** Parameters that are no secrets, and are needed to understand an error. */
const HARMLESS = /^(?:provider|endpoint|url|host|port|region)$/;

const HIDDEN = "***";

/** Returns a remote as it may be printed: without its parameters. */
export function hideSecrets(remote: string): string {
  const [, name, parameters, path = ""] = PARAMETERS.exec(remote) ?? [];
  // A remote that cannot be parsed is not shown.
  if (parameters === undefined) return mask(remote.replace(/,.*/s, `,${HIDDEN}`));
  return mask(`${name},${HIDDEN}${path}`);
}

/** Hides secrets in rclone's messages, which quote the remote, or a part of it. */
export function hideSecretsIn(text: string, remote: string): string {
  const [, , parameters = ""] = PARAMETERS.exec(remote) ?? [];
  const secrets = [...parameters.matchAll(PARAMETER)].flatMap(([, name = "", value = ""]) =>
    HARMLESS.test(name) ? [] : [value, value.replace(/^(["'])(.*)\1$/s, "$2")],
  );
  const hidden = [remote, parameters, ...secrets]
    .filter((part) => part !== "")
    .reduce((left, part) => left.replaceAll(part, part === remote ? hideSecrets(remote) : HIDDEN), text);
  return mask(hidden);
}
