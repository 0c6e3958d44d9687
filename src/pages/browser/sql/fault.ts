/** What went wrong, in one line for whoever asked. */
export class Fault extends Error {}

/** A query wants to read more than it may. */
export class Spent extends Fault {}
