/** Facts about a delivery as short texts. */
import { PUBLIC_EVENTS, TEST_EVENT_TYPE } from '#contract/events/public-events.ts'
import type { Delivery } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'

export function eventTitle(type: Delivery['event_type']): string {
  return type === TEST_EVENT_TYPE ? m.webhooks_event_test() : PUBLIC_EVENTS[type].title()
}

/** `123 ms`, `1.5 s`. */
export function attemptDurationText(ms: number): string {
  return ms < 1000 ? m.webhooks_duration_ms({ ms }) : m.webhooks_duration_s({ s: formatNumber(ms / 1000, { maximumFractionDigits: 1 }) })
}

/** Indented if it is JSON. */
export function prettyText(text: string): string {
  const json = parse(text)
  return json === undefined ? text : JSON.stringify(json, null, 2)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** The name of the server that an event is about: `data.server` of a standard payload, a field of a Discord embed. */
export function serverName({ request }: Delivery): string | undefined {
  const body = parse(request.body) as {
    data?: { server?: { name?: unknown } | null }
    embeds?: { fields?: { name?: unknown; value?: unknown }[] }[]
  } | null
  const name = body?.data?.server?.name
  if (typeof name === 'string') return name
  const field = body?.embeds?.[0]?.fields?.find((each) => each.name === 'Server')?.value
  // A backslash stands before each character that Discord would format.
  return typeof field === 'string' ? field.replaceAll(/\\([^\w\s])/g, '$1') : undefined
}

/** Whether its last attempt failed, even if another one follows. */
export const hasFailed = ({ error, state }: Delivery) => state === 'failed' || error !== null
