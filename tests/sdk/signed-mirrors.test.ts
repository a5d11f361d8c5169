/** Which sources a client of a signed list reads, and when. The clock is driven. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ListError, type SignedListOptions, type SignedServers, list } from '#sdk/list/index.ts'
import { signingKeys } from '#tests/sdk/signed-keys.ts'
import { type Answer, IDS, NOW, answerFrom, fetchOf, signedFiles, stuck } from './signed-sources.ts'

const ORIGIN = 'https://list.test'
const MIRRORS = ['https://a.test', 'https://b.test'] as const
const [A, B] = MIRRORS
const keys = signingKeys(100, NOW)
const files = signedFiles({ keys })
const honest = answerFrom(files)
const silent: Answer = () => new Promise(() => undefined)
/** Sends the key notes and the head, and never the end of a chunk. */
const stalled: Answer = (path, signal) => (path.includes('/chunks/') ? stuck() : honest(path, signal))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  for (const name of ['digest', 'importKey', 'verify'] as const) {
    const call = crypto.subtle[name].bind(crypto.subtle) as (...args: unknown[]) => Promise<never>
    vi.spyOn(crypto.subtle, name).mockImplementation((...args: unknown[]) => {
      verifying += 1
      return call(...args).finally(() => (verifying -= 1))
    })
  }
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

function clientOf(sources: Readonly<Record<string, Answer>>, options: Partial<SignedListOptions> = {}) {
  const { fetch, calls } = fetchOf(sources)
  const client = list({ url: ORIGIN, mirrors: MIRRORS, publicKey: keys.publicKey, fetch, now: () => NOW, ...options })
  const asked = () => [...new Set(calls.map((url) => new URL(url).origin))]
  return { client, calls, asked }
}

/** Calls of Web Crypto that have not ended: they take real time. */
let verifying = 0

async function idle(): Promise<void> {
  do for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
  while (verifying > 0)
}

/** What a read ended with, and after how many milliseconds of the driven clock. */
async function timed(read: Promise<SignedServers>): Promise<{ ms: number; result: SignedServers | ListError }> {
  const began = Date.now()
  let result: SignedServers | ListError | undefined
  read.then(
    (servers) => (result = servers),
    (error: unknown) => (result = error as ListError),
  )
  while (result === undefined) {
    await idle()
    if (result === undefined) await vi.advanceTimersToNextTimerAsync()
  }
  return { ms: Date.now() - began, result }
}

test('while the origin answers, no mirror is read', async () => {
  const { client, asked } = clientOf({ [ORIGIN]: honest, [A]: honest, [B]: honest })
  const { ms, result } = await timed(client.read())
  expect([result, ms]).toEqual([expect.objectContaining({ source: ORIGIN, version: NOW }), 0])
  expect(asked()).toEqual([ORIGIN])
})

test.each<[what: string, sources: Record<string, Answer>, withinMs: number]>([
  ['is silent', { [ORIGIN]: silent, [A]: honest, [B]: honest }, 1100],
  ['rejects', { [ORIGIN]: () => undefined, [A]: honest, [B]: honest }, 100],
  ['is silent, and so is one of two mirrors', { [ORIGIN]: silent, [A]: silent, [B]: honest }, 2100],
  [
    'lies, and so does one of two mirrors',
    { [ORIGIN]: answerFrom(signedFiles({ keys: signingKeys() })), [A]: () => 'no', [B]: honest },
    100,
  ],
  ['stops in the middle', { [ORIGIN]: stalled, [A]: honest, [B]: honest }, 5100],
])('if the origin %s, a mirror serves the list', async (_what, sources, withinMs) => {
  const { ms, result } = await timed(clientOf(sources).client.read())
  expect(result).toMatchObject({ version: NOW, source: expect.stringMatching(/^https:\/\/[ab]\.test$/) as string })
  expect(ms).toBeLessThanOrEqual(withinMs)
})

test('if no source has a list, the error names what each did wrong, within a bounded time', async () => {
  const { ms, result } = await timed(clientOf({ [ORIGIN]: silent, [A]: stalled, [B]: () => undefined }).client.read())
  expect(result).toBeInstanceOf(ListError)
  const { code, sources, message } = result as ListError
  expect(code).toBe('NO_VALID_LIST')
  const said = Object.fromEntries(sources.map(({ url, message: what }) => [url, what]))
  expect(said).toEqual({
    [ORIGIN]: expect.stringMatching(/^it did not send \/signed\/\w+ within 10 seconds$/) as string,
    [A]: expect.stringMatching(/^it did not send \/signed\/chunks\/\w+ within 10 seconds$/) as string,
    [B]: expect.stringMatching(/^it answered \/signed\/\w+ with status 404$/) as string,
  })
  expect(message).toMatch(/^No source has a valid list\. https:\/\/.*: it .*\. https:\/\/.*\.$/)
  expect(ms).toBeLessThan(20_000)
})

test('a source that sends a little every second ends after a minute', async () => {
  const drip: Answer = (path, signal) => {
    if (!path.includes('/chunks/')) return honest(path, signal)
    return new Promise((resolve) => setTimeout(() => resolve(new Response('x')), 9000))
  }
  const many = signedFiles({ keys, ids: Array.from({ length: 200 }, (_, index) => String(index).padStart(7, '0')) })
  const slow: Answer = (path, signal) => (path.includes('/chunks/') ? drip(path, signal) : many.get(path))
  const { ms, result } = await timed(clientOf({ [ORIGIN]: slow }, { mirrors: [] }).client.read())
  expect(result).toBeInstanceOf(ListError)
  expect(ms).toBeLessThanOrEqual(61_000)
})

test('the next read brings only changed chunks, and knows the mirrors that the list names', async () => {
  const later = signedFiles({ keys, atMs: 1500, mirrors: [A] })
  let current = files
  let isDown = false
  const origin: Answer = (path, signal) => (isDown ? silent(path, signal) : current.get(path))
  const { client, calls } = clientOf({ [ORIGIN]: origin, [A]: (path) => later.get(path) }, { mirrors: [] })
  const first = await timed(client.read())
  expect(calls.filter((url) => url.includes('/chunks/'))).toHaveLength(3)
  current = later
  const second = await timed(client.read())
  // Two of three chunks have servers whose players changed.
  expect(calls.filter((url) => url.includes('/chunks/'))).toHaveLength(5)
  expect([first.result, second.result]).toMatchObject([{ version: NOW }, { version: NOW + 1500 }])
  isDown = true
  const third = await timed(client.read())
  expect([third.result, client.servers.length]).toEqual([second.result, IDS.length])
  expect(third.ms).toBeLessThanOrEqual(1100)
})

test('concurrent reads are one, and without url and mirrors the error says what to set', async () => {
  const { client, calls } = clientOf({ [ORIGIN]: honest })
  await Promise.all([client.read(), client.read()])
  expect(calls).toHaveLength(5)
  await expect(list({ publicKey: keys.publicKey, mirrors: [] }).read()).rejects.toThrow('There is no source: set url or mirrors.')
})
