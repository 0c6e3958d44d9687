const KIB = 1024;

/** What one request may take; what exceeds it is answered in the one error scheme. */
export const LIMITS = {
  /** The request line and all headers together. */
  headBytes: 16 * KIB,
  /** The body of a login call. */
  bodyBytes: 16 * KIB,
  /** The upstream's answer to a login call. */
  upstreamBodyBytes: KIB * KIB,
  /** Pipelined requests that wait for the responses before them, over all connections. */
  pipelinedBytes: 16 * KIB * KIB,
  /** Pipelined requests that will not be answered any more but still take memory, over all connections. */
  droppedBytes: 48 * KIB * KIB,
  /** Responses that are made and not yet sent, over all connections. */
  unsentBytes: 64 * KIB * KIB,
  /** The same for files, of which a part is read ahead of each client. */
  unsentFileBytes: 12 * KIB * KIB,
  /** Read of a file at once. */
  fileChunkBytes: 16 * KIB,
  /** What a file counts as unsent while it is sent. */
  perFileBytes: 256 * KIB,
  /** A request waits so long until others are sent. */
  admissionTimeoutMs: 5000,
  /** Making responses may take so long before other connections get a turn of the event loop. */
  maxTickMs: 20,
  /** A client that reads nothing for so long is cut while others wait for memory. */
  slowReaderTimeoutMs: 2000,
  /** For the head of a request to arrive. */
  headersTimeoutMs: 10_000,
  /** For a whole request to arrive. */
  requestTimeoutMs: 30_000,
  /** An idle connection stays so long: longer than the minute after which proxies drop theirs. */
  keepAliveTimeoutMs: 65_000,
  /** Without a byte in either direction: longer than any login call may take. */
  stallTimeoutMs: 150_000,
  /** For a whole login call at the upstream. */
  loginTimeoutMs: 10_000,
  /** Login calls at the upstream at the same time. */
  concurrentLogins: 64,
  /** Clients whose login calls are counted. */
  rateLimitedClients: 10_000,
} as const;
