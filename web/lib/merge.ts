/** Merges two edits of one object, part by part. A part is a field, or fields that belong together. */
import { isEqual } from './is-equal.ts'

/** Whose values a part gets. */
export type Side = 'mine' | 'theirs'

export interface MergeRow<P> {
  readonly part: P
  /** The side of the part unless the user chooses: theirs only if the user did not change it. */
  readonly preselected: Side
  /** Both changed it, to different values. */
  readonly isContested: boolean
}

interface Part<T> {
  readonly fields: readonly (keyof T)[]
}

/**
 * The parts that differ, in order.
 * @param base the values that both edits started from.
 */
export function mergeRows<T, P extends Part<T>>(parts: readonly P[], base: T, mine: T, theirs: T): MergeRow<P>[] {
  return parts.flatMap((part) => {
    const differ = (one: T, other: T) => part.fields.some((field) => !isEqual(one[field], other[field]))
    if (!differ(mine, theirs)) return []
    const isMineChanged = differ(mine, base)
    return [{ part, preselected: isMineChanged ? 'mine' : 'theirs', isContested: isMineChanged && differ(theirs, base) } as const]
  })
}
