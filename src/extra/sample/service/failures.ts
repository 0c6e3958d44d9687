/** The specification's error scheme. */

export interface Problem {
  name: string;
  in: "query" | "path" | "body";
  received: string;
  allowed: string;
}

export interface Reply {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

function failure(status: number, code: string, message: string, hint: string, detail: string, fields: object[] = []) {
  return { status, body: { success: false, error: { code, message, hint, detail, fields } } };
}

export function invalid(problems: readonly Problem[]): Reply {
  const detail = problems.map(({ name, received }) => `${name}=${received}`).join("; ");
  return failure(422, "VALIDATION_FAILED", "Invalid parameters.", "See fields for what is allowed.", detail, [
    ...problems,
  ]);
}

export function badRequest(detail: string): Reply {
  return failure(400, "BAD_REQUEST", "These parameters do not fit together.", "See detail.", detail);
}

export function notFound(detail: string, hint = "GET /api/ lists every endpoint."): Reply {
  return failure(404, "RESOURCE_NOT_FOUND", "Nothing is found there.", hint, detail);
}

export function wrongMethod(method: string, allowed: string): Reply {
  const hint = `Use ${allowed}.`;
  return { ...failure(405, "METHOD_NOT_ALLOWED", "Wrong method.", hint, method), headers: { allow: allowed } };
}

export function internalError(): Reply {
  return failure(500, "INTERNAL_ERROR", "The server failed.", "Try again.", "");
}
