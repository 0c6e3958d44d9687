import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { EXIT, Failure } from "../../../api/failure.ts";
import { mask } from "../../../api/sanitize.ts";

/** What it would print besides, and what would keep it from its work, whatever its configuration says. */
const SETTINGS = {
  RCLONE_PROGRESS: "false",
  RCLONE_VERBOSE: "0",
  RCLONE_LOG_LEVEL: "ERROR",
  RCLONE_DRY_RUN: "false",
};

/** How it ends where the remote, or a folder of it, is not there (yet). */
const NOT_FOUND = 3;

/** What it says of a remote that is not configured, in place of one that is away. */
const NO_REMOTE =
  /didn't find (?:section in config|backend called)|unsupported protocol scheme|couldn't parse|is it obscured|config name contains/;

/**
 * Runs rclone and gives its stdout; nothing where what is listed or read is not there. Rejects with a Failure of one line, in
 * which no secret of the remote stands: `usage` where rclone or the remote does not exist, else `unreachable`.
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
    : "the same command again goes on where it broke off";
  throw new Failure(isUnknown ? EXIT.usage : EXIT.unreachable, `${hideSecrets(remote)}: rclone: ${said}`, hint);
}

/** Its last error without the time, with the lines that go on with it. */
function lastError(stderr: string): string {
  const lines = stderr.trim().split("\n");
  const start = lines.findLastIndex((line) => /\b(?:ERROR|CRITICAL|NOTICE|Failed)\b/.test(line));
  return lines
    .slice(Math.max(0, start))
    .join("; ")
    .replace(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d /, "");
}

/**
 * The parameters in a remote such as `:s3,provider=Other,secret_access_key='a:b':bucket/path`: values stand bare, without commas
 * and colons, or in quotes, which are doubled inside.
 */
const VALUE = `(?:"(?:[^"]|"")*"|'(?:[^']|'')*'|[^,:"'][^,:]*|)`;
const PARAMETERS = new RegExp(`^(:?[^,:]*)((?:,[^=,:]*(?:=${VALUE})?)+)(:.*)?$`, "s");
const PARAMETER = new RegExp(`,([^=,:]*)=(${VALUE})`, "gs");

/** Say where, and are needed to understand an error. */
const HARMLESS = /^(?:provider|endpoint|url|host|port|region)$/;

const HIDDEN = "***";

/** A remote as it may be printed: without its parameters. */
export function hideSecrets(remote: string): string {
  const [, name, parameters, path = ""] = PARAMETERS.exec(remote) ?? [];
  // What is not understood is not shown.
  if (parameters === undefined) return mask(remote.replace(/,.*/s, `,${HIDDEN}`));
  return mask(`${name},${HIDDEN}${path}`);
}

/** What rclone says of it, which quotes the remote, or a part of it. */
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
