import { mask } from "../../api/sanitize.ts";

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
