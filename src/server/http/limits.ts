const KIB = 1024;

/** Limits for clients. A request that exceeds one is answered in the error scheme. */
export const LIMITS = {
  /** The request line and all headers together. */
  headBytes: 16 * KIB,
  /** The number of headers. */
  headers: 100,
  /** The body of a login call. */
  bodyBytes: 16 * KIB,
  /** The upstream's answer to a login call. */
  upstreamBodyBytes: KIB * KIB,
  /** Connections at the same time. */
  connections: 1024,
  /** The weight of the heads of requests that are not answered yet, over all connections. */
  openHeadBytes: 16 * KIB * KIB,
  /** Requests of one connection that are not answered yet. */
  openRequests: 8,
  /** Bytes of responses that are made and not yet sent, over all connections. */
  unsentBytes: 64 * KIB * KIB,
  /** Bytes of files that are read ahead of clients, over all connections. */
  unsentFileBytes: 12 * KIB * KIB,
  /** Bytes of a file that are read at once. */
  fileChunkBytes: 16 * KIB,
  /** Bytes that a file counts as unsent while it is sent. */
  perFileBytes: 256 * KIB,
  /** The time for which a request waits until others are sent. */
  admissionTimeoutMs: 5000,
  /** The time for which responses are made before other connections get a turn of the event loop. */
  maxTickMs: 20,
  /** The time for which a client may read nothing while others wait for memory. */
  slowReaderTimeoutMs: 2000,
  /** The same for a file: one who reads it steadily but slowly is heard of only when much of what lies in the system's buffer is read. */
  slowFileReaderTimeoutMs: 10_000,
  /** The time within which a request has arrived that was just sent on an idle connection. */
  arrivalMs: 1000,
  /** The time for the head of a request to arrive. */
  headersTimeoutMs: 10_000,
  /** The time for a complete request to arrive. */
  requestTimeoutMs: 30_000,
  /** The time for which an idle connection stays open: longer than the minute after which proxies drop theirs. */
  keepAliveTimeoutMs: 65_000,
  /** The time for which a connection may carry no byte in either direction: longer than any login call may take. */
  stallTimeoutMs: 150_000,
  /** The time for a complete login call at the upstream. */
  loginTimeoutMs: 10_000,
  /** Login calls at the upstream at the same time. */
  concurrentLogins: 64,
  /** Clients whose login calls are counted. */
  rateLimitedClients: 10_000,
} as const;
