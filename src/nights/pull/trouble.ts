/** What the source sent cannot be taken; asking again would not help. */
export class Refused extends Error {
  override name = "Refused";
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** The source is silent, busy, slow, or breaks off; asking again may help. */
export class Unreachable extends Error {
  override name = "Unreachable";
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** The source does not have the file, now; it may be about to publish it, or have removed it since. */
export class Absent extends Error {
  override name = "Absent";
}
