import { DEFAULT_LANGUAGE } from '#contract/panel-languages.ts'
import { currentLanguage } from './language.ts'

const DAY_AND_MONTH = { day: 'numeric', month: 'long', timeZone: 'UTC' } as const

/** Such as `31 January`, in the language of the request and in UTC. */
export function formatDay(time: number | Date, more: Pick<Intl.DateTimeFormatOptions, 'year'> = {}): string {
  const language = currentLanguage()
  return new Intl.DateTimeFormat(language === DEFAULT_LANGUAGE ? 'en-GB' : language, { ...DAY_AND_MONTH, ...more }).format(time)
}
