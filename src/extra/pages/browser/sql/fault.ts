/** A failure, told to the user in one line. */
export class Fault extends Error {}

/** A query wants to read more than it may. */
export class Spent extends Fault {}

/** Something on the way answers with the whole file; asked again, it would once more. */
export class Dropped extends Fault {}
