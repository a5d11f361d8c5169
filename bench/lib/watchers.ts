/** Readers of each kind who wait until one server says one number of players. */
import { type IncomingMessage, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type { ListDelta } from '#contract/masterlist.ts'
import { read } from './read.ts'
import { newestVersion, sincePath } from './versions.ts'

const POLL_MS = 20
/** The whole list is many bytes: its readers poll it less often. */
const POLL_LIST_MS = 100
const PATIENCE_MS = 60_000
/** It is promised to be a second behind, and what is polled in between comes on top. */
export const FULL_LIST = 'full list'

/** Who reads the list in one way and knows what each server last said. */
export interface Watcher {
  readonly name: string
  /** Resolves with the moment (of performance.now()) when it saw the number. */
  sees(publicId: string, players: number): Promise<number>
  stop(): Promise<void>
}

/** Numbers that were seen, and who waits for which. */
class Sightings {
  readonly #last = new Map<string, { readonly players: number; readonly at: number }>()
  readonly #waiting = new Map<string, { readonly players: number; readonly tell: (at: number) => void }>()

  take({ changed }: Pick<ListDelta, 'changed'>): void {
    const at = performance.now()
    for (const { publicId, playersCount } of changed) {
      if (playersCount === undefined) continue
      this.#last.set(publicId, { players: playersCount, at })
      const waiting = this.#waiting.get(publicId)
      if (waiting?.players === playersCount) waiting.tell(at)
    }
  }

  wait(publicId: string, players: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const timer = setTimeout(() => reject(new Error(`A change was not seen within ${PATIENCE_MS / 1000} s.`)), PATIENCE_MS)
    const tell = (at: number) => {
      clearTimeout(timer)
      this.#waiting.delete(publicId)
      resolve(at)
    }
    this.#waiting.set(publicId, { players, tell })
    const last = this.#last.get(publicId)
    if (last?.players === players) tell(last.at)
    return promise
  }
}

/** Asks for what changed, again and again; undefined where deltas are not answered. */
export async function pollDeltas(port: number): Promise<Watcher | undefined> {
  const first = await newestVersion(port)
  if (first === undefined) return undefined
  const sightings = new Sightings()
  let isOver = false
  const polling = (async () => {
    for (let version = first; !isOver; await sleep(POLL_MS)) {
      const { status, body } = await read(port, sincePath(version))
      if (status !== 200) throw new Error(`A version that was just named is answered with ${status}.`)
      const delta = JSON.parse(body.toString()) as ListDelta
      sightings.take(delta)
      version = delta.version
    }
  })()
  // Said when it is stopped.
  polling.catch(() => undefined)
  const stop = async () => {
    isOver = true
    await polling
  }
  return { name: 'delta', sees: (id, players) => sightings.wait(id, players), stop }
}

/** undefined where there is no stream. @param take is given the data of each event. */
export async function followStream(port: number, take: (data: string) => void): Promise<{ stop: () => void } | undefined> {
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
      if (data.length > 0) take(data.join('\n'))
    }
  })
  return { stop: () => void response.destroy() }
}

/** undefined where there is no stream. */
export async function readStream(port: number): Promise<Watcher | undefined> {
  const sightings = new Sightings()
  const following = await followStream(port, (data) => sightings.take({ changed: [], ...(JSON.parse(data) as Partial<ListDelta>) }))
  if (following === undefined) return undefined
  return {
    name: 'stream',
    sees: (id, players) => sightings.wait(id, players),
    stop: () => Promise.resolve(following.stop()),
  }
}

/** Downloads the whole list as often as it has changed. */
export function pollList(port: number): Watcher {
  let isOver = false
  const sees = async (publicId: string, players: number) => {
    const wanted = new RegExp(`"publicId":"${publicId}"[^}]*?"playersCount":${players},`)
    const deadline = performance.now() + PATIENCE_MS
    for (let etag = ''; !isOver && performance.now() < deadline; await sleep(POLL_LIST_MS)) {
      const { status, body, headers } = await read(port, '/servers', {
        'accept-encoding': 'gzip',
        ...(etag !== '' && { 'if-none-match': etag }),
      })
      const at = performance.now()
      etag = headers.etag ?? ''
      if (status === 200 && wanted.test(gunzipSync(body).toString())) return at
    }
    throw new Error('A change was not seen in time.')
  }
  return {
    name: FULL_LIST,
    sees,
    stop: () => {
      isOver = true
      return Promise.resolve()
    },
  }
}
