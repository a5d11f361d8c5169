/** Whether two values of a form's field say the same: texts, lists of texts, booleans. */
export function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
