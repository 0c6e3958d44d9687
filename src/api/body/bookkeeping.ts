/** Fields that tell when and by whom a record was written: new with each batch, whatever the record says. */
const BOOKKEEPING = /^(?:_id|_?(?:created|updated)(?:At|User))$/;

/** A value of an answer without that, at any depth. */
export function withoutBookkeeping(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBookkeeping);
  if (value === null || typeof value !== "object" || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const kept = Object.entries(value).filter(([key]) => !BOOKKEEPING.test(key));
  return Object.fromEntries(kept.map(([key, member]) => [key, withoutBookkeeping(member)]));
}
