import { localeOf } from '#contract/text/panel-languages.ts'
import { currentLanguage } from './language.ts'

const DAY_AND_MONTH = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const

/** Such as `31 January`, in the language of the request and in UTC. */
export function formatDay(time: number | Date, more: Pick<Intl.DateTimeFormatOptions, 'year'> = {}): string {
  return new Intl.DateTimeFormat(localeOf(currentLanguage()), { ...DAY_AND_MONTH, ...more }).format(time)
}

/** The parts of a moment in a sentence, in UTC: `31 January 2026` and `12:05`. */
export function momentOf(time: number): { date: string; time: string } {
  return { date: formatDay(time, { year: 'numeric' }), time: new Date(time).toISOString().slice(11, 16) }
}
