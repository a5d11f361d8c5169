/** Shows times in the time zone of the visitor, in the language of the page. */
export function showLocalTimes(): void {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium', timeStyle: 'short' })
  for (const time of document.querySelectorAll('time')) time.textContent = format.format(new Date(time.dateTime))
}
