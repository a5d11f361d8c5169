/** A list that is a function, for an announcer on a driven clock. */
import { vi } from 'vitest'
import { announce } from '../index.ts'
import type { AnnounceEvents, AnnounceOptions } from '../types.ts'

export interface Call {
  readonly at: number
  readonly url: string
  readonly method: string
  readonly body: Record<string, unknown>
}

export type ReplyOf = (call: Call, index: number) => Response | Promise<Response>
export const started: { stop(): Promise<void> }[] = []

export const json = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })
export const accepted = (more: object = {}) =>
  json(200, { publicId: 'abcdefg', listed: true, nextAnnounceSeconds: 30, features: { cloudAuth: false }, notices: [], ...more })
export const rejected = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { statusCode: status, errors: ['It is wrong.'], isBusiness: false, code, remedy: 'Mend it.' }, headers)

export function start(replyOf: ReplyOf, options: Partial<AnnounceOptions> = {}) {
  const calls: Call[] = []
  const events: [name: string, event: object][] = []
  const fake = (url: string, { method = '', body }: RequestInit = {}) => {
    const call = { at: performance.now(), url, method, body: JSON.parse((body as string | undefined) ?? '{}') as Record<string, unknown> }
    calls.push(call)
    if (method === 'DELETE') return Promise.resolve(new Response(null, { status: 204 }))
    return Promise.resolve(replyOf(call, calls.length - 1))
  }
  const server = announce({
    url: 'http://list.test/',
    credential: 'mst_x',
    port: 7788,
    maxPlayers: 32,
    signals: false,
    probes: false,
    fetch: fake as unknown as typeof fetch,
    ...options,
  })
  started.push(server)
  const names: (keyof AnnounceEvents)[] = [
    'accepted',
    'listed',
    'unlisted',
    'notice',
    'cleared',
    'rejected',
    'offline',
    'recovered',
    'stopped',
  ]
  for (const name of names) server.on(name, (event) => void events.push([name, event]))
  const eventNames = () => events.map(([name]) => name).filter((name) => name !== 'accepted')
  return { server, calls, events, eventNames }
}
export const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1000)
