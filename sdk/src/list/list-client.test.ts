/** The list client against a list that is a function. The real list is in tests/sdk/real-list.test.ts. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ListClient, type ListOptions, type ListedServer, list } from './index.ts'

beforeEach(() => void vi.useFakeTimers())
const clients: ListClient[] = []
afterEach(async () => {
  for (const client of clients.splice(0)) client.stop()
  await vi.advanceTimersByTimeAsync(60_000)
  vi.useRealTimers()
})

const row = (publicId: string, playersCount: number, more: Partial<ListedServer> = {}) =>
  ({ publicId, name: `Server ${publicId}`, playersCount, playersConfirmed: true, promoted: false, ...more }) as ListedServer
const json = (body: unknown, { status = 200, headers = {} as Record<string, string> } = {}) =>
  new Response(JSON.stringify(body), { status, headers })
const whole = (rows: readonly ListedServer[], version = 'v1') =>
  json(
    Object.fromEntries(
      ['publicId', 'name', 'playersCount', 'playersConfirmed', 'promoted'].map((name) => [name, rows.map((one) => one[name as 'name'])]),
    ),
    { headers: { etag: `"${version}"`, 'x-list-version': version } },
  )
const rejected = (status: number, code: string) => json({ statusCode: status, errors: ['No.'], code, remedy: 'Wait.' }, { status })
/** A stream of these chunks. @param ends whether it ends after them */
function stream(chunks: readonly string[], ends = false): Response {
  const encoder = new TextEncoder()
  return new Response(
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(encoder.encode(chunk))
        if (ends) controller.close()
      },
    }),
  )
}

/** @param replies the reply to each call, in order; afterwards, an open stream or no changes */
function follow(replies: readonly (() => Response | Promise<Response>)[], options: Partial<ListOptions> = {}) {
  const paths: string[] = []
  const events: string[] = []
  const fake = (url: string, { signal, headers }: RequestInit) => {
    const tag = (headers as Record<string, string>)['if-none-match']
    paths.push(url.replace('http://list.test', '') + (tag === undefined ? '' : ` ${tag}`))
    const reply =
      replies[paths.length - 1]?.() ??
      (url.includes('/stream') ? stream([': open\n\n']) : json({ version: 'v9', changed: [], removed: [] }))
    // Like a real one, the body ends with an error once the call is aborted.
    return Promise.resolve(reply).then((response) => abortable(response, signal ?? undefined))
  }
  const client = list({ url: 'http://list.test/', fetch: fake as unknown as typeof fetch, ...options })
  client.on(
    'change',
    ({ changed, removed }) => void events.push(`change ${changed.map(({ publicId }) => publicId).join()} -${removed.join()}`),
  )
  client.on('offline', ({ code, status }) => void events.push(`offline ${status} ${code}`))
  client.on('recovered', () => void events.push('recovered'))
  clients.push(client)
  return { client: client.follow(), paths, events, ids: () => client.servers.map(({ publicId }) => publicId) }
}

function abortable(response: Response, signal: AbortSignal | undefined): Response {
  if (response.body === null) return response
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  response.body.pipeTo(writable, signal === undefined ? {} : { signal }).catch(() => undefined)
  return new Response(readable, { status: response.status, headers: response.headers })
}

const ms = (count: number) => vi.advanceTimersByTimeAsync(count)

test('reads the list once, then follows its stream across chunks', async () => {
  const { client, paths, events, ids } = follow([
    () => whole([row('aaaaaaa', 5), row('bbbbbbb', 3)]),
    () =>
      stream([
        'retry: 1500\n\n: hello\n\nid: v2\nda',
        'ta: {"version":"v2","changed":[{"publicId":"bbbbbbb","playersCount":9}],"removed":[]}\n',
        '\nid: v3\ndata: {"version":"v3","changed":[],"removed":["aaaaaaa","zzzzzzz"]}\n\n',
      ]),
  ])
  await ms(10)
  expect(paths).toEqual(['/servers?format=columns', '/servers/stream?since=v1'])
  expect(events).toEqual(['change aaaaaaa,bbbbbbb -', 'change bbbbbbb -', 'change  -aaaaaaa'])
  expect(ids()).toEqual(['bbbbbbb'])
  expect(client.get('bbbbbbb')).toEqual(row('bbbbbbb', 9))
  expect(client.version).toBe('v3')
})

test('sorts like the list after a change', async () => {
  const { ids } = follow([
    () => whole([row('aaaaaaa', 5), row('bbbbbbb', 3), row('ccccccc', 99, { playersConfirmed: false }), row('ddddddd', 1)]),
    () =>
      stream([
        'data: {"version":"v2","changed":[{"publicId":"ddddddd","promoted":true},{"publicId":"bbbbbbb","playersCount":5}],"removed":[]}\n\n',
      ]),
  ])
  await ms(10)
  expect(ids()).toEqual(['ddddddd', 'aaaaaaa', 'bbbbbbb', 'ccccccc'])
})

test('a version that is too old reads the whole list again', async () => {
  const { paths, events, ids } = follow([
    () => whole([row('aaaaaaa', 5)]),
    () => rejected(410, 'VERSION_TOO_OLD'),
    () => whole([row('bbbbbbb', 1)], 'v7'),
  ])
  await ms(2100)
  expect(paths).toEqual(['/servers?format=columns', '/servers/stream?since=v1', '/servers?format=columns "v1"', '/servers/stream?since=v7'])
  expect(events).toEqual(['change aaaaaaa -', 'change bbbbbbb -aaaaaaa'])
  expect(ids()).toEqual(['bbbbbbb'])
})

test('without a free stream it polls for a minute, then tries the stream again', async () => {
  const { paths, events } = follow([
    () => whole([row('aaaaaaa', 5)]),
    () => rejected(503, 'STREAMS_FULL'),
    () => json({ version: 'v2', changed: [row('bbbbbbb', 1)], removed: [] }),
  ])
  await ms(70_000)
  expect(paths.slice(0, 4)).toEqual(['/servers?format=columns', '/servers/stream?since=v1', '/servers?since=v1', '/servers?since=v2'])
  expect(paths.at(-1)).toBe('/servers/stream?since=v9')
  expect(events).toEqual(['change aaaaaaa -', 'change bbbbbbb -'])
})

test('a stream that a proxy holds back is given up for polling', async () => {
  const { paths } = follow([() => whole([row('aaaaaaa', 5)]), () => stream([])])
  await ms(45_000)
  expect(paths.slice(0, 3)).toEqual(['/servers?format=columns', '/servers/stream?since=v1', '/servers?since=v1'])
})

test('a stream that ends resumes after its delay', async () => {
  const { paths, events } = follow([
    () => whole([row('aaaaaaa', 5)]),
    () => stream(['retry: 3000\n\ndata: {"version":"v2","changed":[],"removed":[]}\n\n'], true),
  ])
  await ms(2900)
  expect(paths).toHaveLength(2)
  await ms(200)
  expect(paths.at(-1)).toBe('/servers/stream?since=v2')
  expect(events).toEqual(['change aaaaaaa -'])
})

test('an outage is one event, and the servers stay', async () => {
  const down = () => Promise.reject(Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } }))
  const { events, ids } = follow([() => whole([row('aaaaaaa', 5)]), down, down, () => rejected(503, 'UNAVAILABLE'), down], {
    stream: false,
  })
  await ms(90_000)
  expect(events).toEqual(['change aaaaaaa -', 'offline 0 ', 'recovered'])
  expect(ids()).toEqual(['aaaaaaa'])
})

test.each([
  ['unusable', 'data: nonsense\n\n'],
  ['for a server that is missing', 'data: {"version":"v2","changed":[{"publicId":"bbbbbbb","playersCount":1}],"removed":[]}\n\n'],
])('a delta that is %s reads the whole list again', async (_what, text) => {
  const { paths } = follow([
    () => whole([row('aaaaaaa', 5)]),
    () => stream([text]),
    () => new Response(null, { status: 304, headers: { 'x-list-version': 'v3' } }),
  ])
  await ms(3000)
  expect(paths.slice(2)).toEqual(['/servers?format=columns "v1"', '/servers/stream?since=v3'])
})

test('a list without columns or versions is read again and again, with its ETag', async () => {
  const rows = [row('aaaaaaa', 5)]
  const { paths, ids } = follow([() => json(rows, { headers: { etag: '"e"' } }), () => new Response(null, { status: 304 })])
  await ms(6000)
  expect(paths.slice(0, 2)).toEqual(['/servers?format=columns', '/servers?format=columns "e"'])
  expect(ids()).toEqual(['aaaaaaa'])
})

test('a single read rejects with what the list says', async () => {
  const client = list({
    url: 'http://list.test',
    fetch: (() => Promise.resolve(rejected(429, 'TOO_MANY_REQUESTS'))) as unknown as typeof fetch,
  })
  await expect(client.read()).rejects.toMatchObject({
    name: 'ListError',
    status: 429,
    code: 'TOO_MANY_REQUESTS',
    message: 'No.',
    remedy: 'Wait.',
  })
})
