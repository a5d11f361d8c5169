/** Reads the event stream of an open panel, as an EventSource does. */
import { expect } from 'vitest'
import * as live from '#contract/masterlist/live.ts'
import type { TestUser } from './harness.ts'

export interface StreamEvent {
  readonly event: string
  readonly data: Record<string, unknown>
}

export interface Stream {
  readonly received: StreamEvent[]
  /** True once the stream has ended. */
  readonly hasEnded: () => boolean
  /** Waits for a matching event; fails after ten seconds. */
  until(matches: (one: StreamEvent) => boolean): Promise<StreamEvent>
  close(): void
}

const PATH = live.events.route.split(' ')[1] ?? ''

/** Opens the stream and reads it in the background. @param query such as `?language=de`. */
export async function listen(user: TestUser, query = ''): Promise<Stream> {
  const stop = new AbortController()
  const response = await user.fetch(PATH + query, { signal: stop.signal })
  expect(response.status).toBe(200)
  const received: StreamEvent[] = []
  let ended = false
  const read = async () => {
    let rest = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const parts = (rest + chunk).split('\n\n')
      rest = parts.pop() ?? ''
      for (const part of parts) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? []
        if (event !== undefined && data !== undefined) received.push({ event, data: JSON.parse(data) as Record<string, unknown> })
      }
    }
  }
  void read()
    .catch(() => undefined)
    .finally(() => {
      ended = true
    })
  return {
    received,
    hasEnded: () => ended,
    async until(matches) {
      return expect
        .poll(() => received.find(matches), { interval: 10 })
        .toBeDefined()
        .then(() => received.find(matches) as StreamEvent)
    },
    close: () => stop.abort(),
  }
}
