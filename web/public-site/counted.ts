import { formatNumber } from '#web/lib/format.ts'

/** The inputs of a message with a plural. */
export const counted = (count: number) => ({ count, shown: formatNumber(count) })
