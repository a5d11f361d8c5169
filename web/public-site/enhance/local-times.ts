import { type Language, localeOf } from '#contract/text/panel-languages.ts'

/** Shows times in the time zone of the visitor, in the language of the page. */
export function showLocalTimes(): void {
  const format = new Intl.DateTimeFormat(localeOf(document.documentElement.lang as Language), { dateStyle: 'medium', timeStyle: 'short' })
  for (const time of document.querySelectorAll('time')) time.textContent = format.format(new Date(time.dateTime))
}
