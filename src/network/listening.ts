import { EXIT, Failure } from "../api/failure.ts";

/** Says why nothing can listen on an address. */
export function explainAddress(error: unknown, port: number, host: string): Failure {
  const { code, message } = error as NodeJS.ErrnoException;
  const what = code === "EADDRINUSE" ? "is taken" : `cannot be used (${message})`;
  return new Failure(EXIT.usage, `${host}:${port}: ${what}`, "choose another with --port and --host", error);
}
