import { number, option } from "../command.ts";
import { MEANINGS } from "./variables.ts";

export const listeningPort = (port: number) =>
  number("--port <n>", `${MEANINGS.port} (0: any free one)`, [0, 65_535]).default(port);

export const listeningHost = () => option("--host <address>", MEANINGS.host).default("127.0.0.1");
