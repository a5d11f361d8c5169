/** Readers of each kind that wait until the list shows a given player count. */
import { type IncomingMessage, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type { ListDelta } from '#contract/masterlist.ts'
import { read } from './read.ts'
import { newestVersion, sincePath } from './versions.ts'

const POLL_MS = 20
/** The whole list is large, so its readers poll less often. */
const POLL_LIST_MS = 100
const TIMEOUT_MS = 60_000
/** The list may be one second old, plus the polling interval. */
export const FULL_LIST = 'full list'

/** Reads the list in one way and knows the last player count of each server. */
export interface Watcher {
  readonly name: string
  /** Resolves with the time (performance.now()) when the reader saw the player count. */
  waitFor(publicId: string, players: number): Promise<number>
  stop(): Promise<void>
}

/** The player counts seen so far, and the waiters. */
class Sightings {
  readonly #last = new Map<string, { readonly players: number; readonly at: number }>()
  readonly #waiting = new Map<string, { readonly players: number; readonly notify: (at: number) => void }>()

  record({ changed }: Pick<ListDelta, 'changed'>): void {
    const at = performance.now()
    for (const { publicId, playersCount } of changed) {
      if (playersCount === undefined) continue
      this.#last.set(publicId, { players: playersCount, at })
      const waiting = this.#waiting.get(publicId)
      if (waiting?.players === playersCount) waiting.notify(at)
    }
  }

  wait(publicId: string, players: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const timer = setTimeout(() => reject(new Error(`A change was not seen within ${TIMEOUT_MS / 1000} s.`)), TIMEOUT_MS)
    const notify = (at: number) => {
      clearTimeout(timer)
      this.#waiting.delete(publicId)
      resolve(at)
    }
    this.#waiting.set(publicId, { players, notify })
    const last = this.#last.get(publicId)
    if (last?.players === players) notify(last.at)
    return promise
  }
}

/** Polls deltas; undefined if the server has none. */
export async function pollDeltas(port: number): Promise<Watcher | undefined> {
  const first = await newestVersion(port)
  if (first === undefined) return undefined
  const sightings = new Sightings()
  let isOver = false
  const polling = (async () => {
    for (let version = first; !isOver; await sleep(POLL_MS)) {
      const { status, body } = await read(port, sincePath(version))
      if (status !== 200) throw new Error(`A delta since the last version returned ${status}.`)
      const delta = JSON.parse(body.toString()) as ListDelta
      sightings.record(delta)
      version = delta.version
    }
  })()
  // stop() rethrows the error.
  polling.catch(() => undefined)
  const stop = async () => {
    isOver = true
    await polling
  }
  return { name: 'delta', waitFor: (id, players) => sightings.wait(id, players), stop }
}

/** undefined if the server has no stream. @param onEvent receives the data of each event */
export async function followStream(port: number, onEvent: (data: string) => void): Promise<{ stop: () => void } | undefined> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: '/servers/stream', headers: { accept: 'text/event-stream' } }, resolve).on('error', reject)
  })
  if (response.statusCode !== 200 || response.headers['content-type']?.startsWith('text/event-stream') !== true) {
    response.destroy()
    return undefined
  }
  let text = ''
  response.setEncoding('utf8')
  response.on('error', () => undefined)
  response.on('data', (chunk: string) => {
    text += chunk
    const events = text.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const data = event.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5)] : []))
      if (data.length > 0) onEvent(data.join('\n'))
    }
  })
  return { stop: () => void response.destroy() }
}

/** undefined if the server has no stream. */
export async function readStream(port: number): Promise<Watcher | undefined> {
  const sightings = new Sightings()
  const following = await followStream(port, (data) => sightings.record({ changed: [], ...(JSON.parse(data) as Partial<ListDelta>) }))
  if (following === undefined) return undefined
  return {
    name: 'stream',
    waitFor: (id, players) => sightings.wait(id, players),
    stop: () => Promise.resolve(following.stop()),
  }
}

/** Downloads the whole list whenever it has changed. */
export function pollList(port: number): Watcher {
  let isOver = false
  const waitFor = async (publicId: string, players: number) => {
    const pattern = new RegExp(`"publicId":"${publicId}"[^}]*?"playersCount":${players},`)
    const deadline = performance.now() + TIMEOUT_MS
    for (let etag = ''; !isOver && performance.now() < deadline; await sleep(POLL_LIST_MS)) {
      const { status, body, headers } = await read(port, '/servers', {
        'accept-encoding': 'gzip',
        ...(etag !== '' && { 'if-none-match': etag }),
      })
      const at = performance.now()
      etag = headers.etag ?? ''
      if (status === 200 && pattern.test(gunzipSync(body).toString())) return at
    }
    throw new Error('A change was not seen in time.')
  }
  return {
    name: FULL_LIST,
    waitFor,
    stop: () => {
      isOver = true
      return Promise.resolve()
    },
  }
}
