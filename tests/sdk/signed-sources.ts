/** Signed lists in memory, and sources that answer with them. */
import { hash } from 'node:crypto'
import { signNote } from '#backend/platform/signing/signed-note.ts'
import type { PrivateKey } from '#backend/platform/signing/signed-note.ts'
import type { SigningKeys } from '#tests/sdk/signed-keys.ts'

/** By path, such as `/signed/head`. */
export type Files = ReadonlyMap<string, string | Buffer>

export const NOW = Date.parse('2026-11-30T12:00:00Z')
const DAY_MS = 86_400_000

export interface ListOf {
  readonly keys: SigningKeys
  readonly startsAt?: number
  /** When it is signed, after `startsAt`. */
  readonly atMs?: number
  readonly lifetimeMs?: number
  readonly signer?: PrivateKey
  readonly mirrors?: readonly string[]
  /** Two servers a chunk. */
  readonly ids?: readonly string[]
  /** Of the head. */
  readonly fields?: Readonly<Record<string, unknown>>
}

export const IDS = ['0aaaaaa', '0bbbbbb', 'Aaaaaaa', 'Abbbbbb', 'aaaaaaa', 'abbbbbb'] as const

export function signedFiles({
  keys,
  startsAt = NOW,
  atMs = 0,
  lifetimeMs = DAY_MS,
  signer = keys.online,
  mirrors = [],
  ids = IDS,
  fields = {},
}: ListOf): Files {
  const time = startsAt + atMs
  const chunks = Array.from({ length: Math.ceil(ids.length / 2) }, (_, index) =>
    JSON.stringify(ids.slice(index * 2, index * 2 + 2).map((publicId) => rowOf(publicId, time))),
  )
  const entries = chunks.map((text) => ({ sha256: hash('sha256', text), bytes: Buffer.byteLength(text) }))
  const head = { version: time, time: isoOf(time), expires: isoOf(time + lifetimeMs), chunks: entries, mirrors, audit: null, ...fields }
  return new Map([
    ['/signed/keys', keys.notes.text],
    ['/signed/head', signNote(JSON.stringify(head), [signer])],
    ...chunks.map((text, index) => [`/signed/chunks/${entries[index]?.sha256}`, text] as const),
  ])
}

const isoOf = (ms: number) => new Date(ms).toISOString()

/** Half of the chunks change with the time. */
const rowOf = (publicId: string, time: number) => ({
  publicId,
  name: `Server ${publicId} Ölmühle`,
  playersCount: publicId < 'B' ? time % 1000 : 7,
  playersConfirmed: true,
  promoted: false,
})

/** What a source answers to a path: text, or a response, or nothing for 404. */
export type Answer = (path: string, signal: AbortSignal) => string | Buffer | Response | undefined | Promise<Response>

export const answerFrom =
  (files: Files, changed: Readonly<Record<string, string | Buffer | undefined>> = {}): Answer =>
  (path) =>
    path in changed ? changed[path] : files.get(path)

/** A `fetch` of these sources, by address. Counts the calls. */
export function fetchOf(sources: Readonly<Record<string, Answer>>) {
  const calls: string[] = []
  const fake = async (url: string, { signal }: { signal: AbortSignal }) => {
    const { origin, pathname } = new URL(url)
    calls.push(url)
    const answer = await sources[origin]?.(pathname, signal)
    if (answer instanceof Response) return answer
    return answer === undefined ? new Response('No.', { status: 404 }) : new Response(new Uint8Array(Buffer.from(answer)))
  }
  return { fetch: fake as unknown as typeof fetch, calls }
}

/** Sends these bytes forever. */
export function endless(bytes: Uint8Array): Response {
  return new Response(new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(bytes) }))
}

/** Never sends its end. */
export const stuck = () => new Response(new ReadableStream<Uint8Array>({ pull: () => new Promise(() => undefined) }))
