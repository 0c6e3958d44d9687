import { type H3, serve } from "h3";
import { EXIT, Failure } from "../api/failure.ts";

export interface Listening {
  url: string;
  close(): Promise<void>;
}

/** Serves an app on a socket. Resolves when it accepts connections; closing lets requests in flight end. */
export async function listen(app: H3, { port, host }: { port: number; host: string }): Promise<Listening> {
  const server = serve(app, { port, hostname: host, silent: true, gracefulShutdown: false });
  try {
    await server.ready();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const what = code === "EADDRINUSE" ? "is taken" : `cannot be used (${message})`;
    throw new Failure(EXIT.usage, `${host}:${port}: ${what}`, "choose another with --port and --host", error);
  }
  return { url: (server.url ?? "").replace(/\/$/, ""), close: () => server.close() };
}
