/** Logs events that nothing listens to, so that an owner always sees what the list says. */
import type { AnnounceEvents, Notice, Outage, Rejection } from './types.ts'

const retry = (seconds: number) => (seconds > 0 ? ` Next attempt in ${seconds} seconds.` : '')

function textOf(name: keyof AnnounceEvents, event: AnnounceEvents[keyof AnnounceEvents]): string | undefined {
  const { code, message, remedy, isRepeat, retrySeconds } = event as Notice & Outage & Rejection
  if (name === 'listed') return 'The server is on the list.'
  if (name === 'unlisted') return 'The list accepts the server, but does not show it.'
  if (name === 'stopped') return `${message} The server leaves the list.`
  if (name === 'recovered') return 'The list accepts announces again.'
  if (name === 'offline') return `No usable reply from the list: ${message}.${retry(retrySeconds)}`
  if (name === 'notice') return `${code}: ${message} ${remedy}`.trim()
  if (name === 'cleared') return `${code} no longer applies.`
  if (name === 'rejected' && !isRepeat) return `${code}: ${message} ${remedy}`.trim() + retry(retrySeconds)
  return undefined
}

/** Always true. */
export function logEvent(name: keyof AnnounceEvents, event: AnnounceEvents[keyof AnnounceEvents]): boolean {
  const text = textOf(name, event)
  if (text !== undefined) console.info(`muster: ${text}`)
  return true
}
