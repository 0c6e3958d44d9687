const KIB = 1024;

/** What one request may take; whatever is above is answered in the one error scheme. */
export const LIMITS = {
  /** Bytes of the request line and all headers together. */
  head: 16 * KIB,
  /** Bytes of the body of a login call. */
  body: 16 * KIB,
  /** Bytes of the upstream's answer to a login call. */
  answer: KIB * KIB,
  /** Bytes of requests that wait for the answers before them on their connections, over all connections. */
  waiting: 16 * KIB * KIB,
  /** The same, with those that will not be answered any more but still take room. */
  dropped: 48 * KIB * KIB,
  /** Bytes that are made and not yet sent, over all connections. */
  unsent: 64 * KIB * KIB,
  /** The same for files, of which a part is read ahead of each reader. */
  files: 12 * KIB * KIB,
  /** Bytes of a file that are read at once. */
  chunk: 16 * KIB,
  /** Bytes that count for a file while it is sent. */
  file: 256 * KIB,
  /** Milliseconds that a request waits until others are sent. */
  roomTime: 5000,
  /** Milliseconds of making answers after which whoever else has come gets a turn. */
  turnTime: 20,
  /** Milliseconds without a byte after which a reader is cut while others wait for it. */
  pressedTime: 2000,
  /** Milliseconds for the head of a request. */
  headTime: 10_000,
  /** Milliseconds for a whole request. */
  requestTime: 30_000,
  /** Milliseconds that an idle connection stays: longer than the minute after which proxies drop theirs. */
  idleTime: 65_000,
  /** Milliseconds without a byte in either direction: longer than any login call may take. */
  stallTime: 150_000,
  /** Milliseconds for a whole login call at the upstream. */
  loginTime: 10_000,
  /** Login calls at the upstream at the same time. */
  logins: 64,
  /** Clients whose login calls are counted. */
  clients: 10_000,
} as const;
