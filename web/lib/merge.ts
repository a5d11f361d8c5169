/** Merges two edits of one object, field by field. */

/** Whose value a field gets. */
export type Side = 'mine' | 'theirs'

export interface MergeRow<P> {
  readonly part: P
  /** The side of the field unless the user chooses: theirs only if the user did not change it. */
  readonly preselected: Side
  /** Both changed it, to different values. */
  readonly isContested: boolean
}

/**
 * The fields that differ, in order.
 * @param base the values that both edits started from.
 */
export function mergeRows<T, P extends { readonly name: keyof T }>(parts: readonly P[], base: T, mine: T, theirs: T): MergeRow<P>[] {
  return parts
    .filter(({ name }) => !isEqual(mine[name], theirs[name]))
    .map((part) => {
      const isMineChanged = !isEqual(mine[part.name], base[part.name])
      const isTheirsChanged = !isEqual(theirs[part.name], base[part.name])
      return { part, preselected: isMineChanged ? 'mine' : 'theirs', isContested: isMineChanged && isTheirsChanged }
    })
}

/** Compares form values: strings, lists of strings, booleans. */
export function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
