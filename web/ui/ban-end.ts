/** When a ban ends, as it is chosen: after a while, at a time, or never. */
export const SPANS = [
  { key: '', label: 'Never, until somebody lifts it', days: 0 },
  { key: '1', label: 'In a day', days: 1 },
  { key: '7', label: 'In a week', days: 7 },
  { key: '30', label: 'In 30 days', days: 30 },
  { key: '90', label: 'In 90 days', days: 90 },
] as const

const DAY_MS = 86_400_000

/** @property key of a span, or `at` for the time beside it. @property at as a field for date and time has it: local, to the minute. */
export interface ChosenEnd {
  readonly key: string
  readonly at: string
}

/** What is chosen to begin with: the end that a ban has, or none. */
export function endToBegin(until: string | null): ChosenEnd {
  return until === null ? { key: '', at: '' } : { key: 'at', at: localMinute(Date.parse(until)) }
}

/** `2026-11-21T20:00`, in the reader's own zone. */
export function localMinute(at: number): string {
  const date = new Date(at)
  return new Date(at - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The moment that is chosen, null for never, or what is wrong with it. */
export function endOf({ key, at }: ChosenEnd, now: number): { until: string | null } | { problem: string } {
  if (key !== 'at') {
    const days = SPANS.find((span) => span.key === key)?.days ?? 0
    return { until: days === 0 ? null : new Date(now + days * DAY_MS).toISOString() }
  }
  const time = Date.parse(at)
  if (Number.isNaN(time)) return { problem: 'Choose the day and the time at which the ban ends.' }
  if (time <= now) return { problem: 'The end of the ban has to lie ahead.' }
  return { until: new Date(time).toISOString() }
}
