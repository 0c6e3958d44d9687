import type { RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { EXIT, Failure } from "../api/failure.ts";

// An import of it reads all its exports, of which one loads a whole client: half of the time that a start may take.
const { createServer } = process.getBuiltinModule("node:http");

export interface Listening {
  url: string;
  close(): Promise<void>;
}

/** Serves on a socket. Resolves when it accepts connections; closing lets requests in flight end. */
export async function listen(
  listener: RequestListener,
  { port, host }: { port: number; host: string },
): Promise<Listening> {
  const server = createServer(listener);
  try {
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, host, resolve));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const what = code === "EADDRINUSE" ? "is taken" : `cannot be used (${message})`;
    throw new Failure(EXIT.usage, `${host}:${port}: ${what}`, "choose another with --port and --host", error);
  }
  const { port: bound } = server.address() as AddressInfo;
  const name = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${name}:${bound}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
