import { ApiError } from "../../api/errors.ts";

export function unknownPath(method: string, pathname: string): ApiError {
  const hint = /^\/api\/(user|region|addon|academy\/recommended)(\/|$)/.test(pathname)
    ? "Player data, regions and tools are not mirrored; ask the upstream. GET /api/ lists what is here."
    : "GET /api/ lists every endpoint.";
  return new ApiError("RESOURCE_NOT_FOUND", {
    message: "No endpoint has this path.",
    hint,
    detail: toDetail(method, pathname),
  });
}

/** `methods` are those that the path has. */
export function wrongMethod(method: string, pathname: string, methods: readonly string[]): ApiError {
  const allowed = methods.join(", ");
  return new ApiError(
    "METHOD_NOT_ALLOWED",
    {
      message: "This endpoint does not answer that method.",
      hint: `Use ${allowed}.`,
      detail: toDetail(method, pathname),
    },
    { allow: allowed },
  );
}

const toDetail = (method: string, pathname: string) => `${method} ${pathname}`.slice(0, 200);
