/** Why something is banned and until when, for its owner's eyes. */

interface Ban {
  readonly reason: string | null
  /** Wall milliseconds; undefined where the ban has no end. */
  readonly until: number | undefined
}

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

/** One sentence for the reason and one for the end, as far as there are any. */
export function banSentences({ reason, until }: Ban): string[] {
  const sentences: string[] = []
  if (reason !== null) sentences.push(`The reason: ${reason.replace(/[.!?]?$/, '.')}`)
  if (until !== undefined) sentences.push(`It ends on ${DAY.format(until)} at ${new Date(until).toISOString().slice(11, 16)} UTC.`)
  return sentences
}
