import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { isHeroEndpoint, parameterFor } from "../../../src/api/endpoint.ts";
import { ENDPOINTS } from "../../../src/api/endpoints.ts";
import { latestFile } from "../../../src/snapshot/published/pointer.ts";
import { startProgram } from "../process.ts";

/** Debian's, whatever other one is in the path. */
const PYTHON = "/usr/bin/python3";

export const FASTAPI_MISSING =
  "FastAPI is not installed, run `apt-get install python3-fastapi python3-uvicorn python3-uvloop python3-httptools`";

export const hasFastapi = () => spawnSync(PYTHON, ["-c", "import fastapi, uvicorn, uvloop, httptools"]).status === 0;

/** The server of fastapi_server.py, on the file that the mirror serves. */
export function startFastapi(data: string) {
  const endpoints = ENDPOINTS.filter(isHeroEndpoint).map((endpoint) => ({
    path: endpoint.path.replace(/\{\w+\}/, "{hero}"),
    dataset: endpoint.from ?? endpoint.dataset,
    parameters: (["lane", "rank", "days"] as const).flatMap((key) => {
      const parameter = parameterFor(endpoint, key);
      const standard = parameter && "default" in parameter ? String(parameter.default) : "";
      return parameter ? [[key, parameter.name, standard]] : [];
    }),
  }));
  const program = { program: PYTHON, input: JSON.stringify(endpoints) };
  return startProgram([join(import.meta.dirname, "fastapi_server.py"), latestFile(data)], /fastapi on (\S+)/, program);
}
