const counted = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`

/** `24 hours`, `90 minutes` as `1.5 hours`, half an hour as `30 minutes`: how long, in its largest unit. */
export function inWords(hours: number): string {
  if (hours >= 1) return counted(Math.round(hours * 10) / 10, 'hour')
  const seconds = Math.round(hours * 3600)
  return seconds >= 60 ? counted(Math.round(seconds / 60), 'minute') : counted(seconds, 'second')
}
