/** Malformed HTTP on a connection whose earlier calls still wait for their answers: no answer ever holds another one's bytes. */
import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer as createTcpServer } from 'node:net'
import { sql } from 'kysely'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { anAnnounce, buildServer } from './factories.ts'
import { type SignedIn, type TestApp, startApp } from './harness.ts'
import { announceFrom, fleetOwner } from './list/send.ts'

const GARBAGE = 'this is no HTTP\r\n\r\n'
const GET = (path: string, ...headers: string[]) => `GET ${path} HTTP/1.1\r\n${['Host: localhost', ...headers].join('\r\n')}\r\n\r\n`

let app: TestApp
let owner: SignedIn

beforeAll(async () => {
  app = await startApp()
  owner = await fleetOwner(app)
})

/** A connection to one of the listeners, and all that comes back on it. */
async function open(url: string) {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', noDelay: true })
  onTestFinished(() => void socket.destroy())
  let heard = ''
  socket.on('data', (piece) => (heard += piece.toString()))
  // A reset is one of the ways in which a connection may end here.
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  await once(socket, 'connect')
  return { socket, closed, heard: () => heard }
}

const announceOf = (credential: string) => {
  const body = JSON.stringify(anAnnounce)
  return `POST /announce HTTP/1.1\r\nHost: list\r\nAuthorization: Bearer ${credential}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

/** Locks a table, so that its users wait until `act` is done. */
async function whileHeld(table: string, act: () => Promise<void>): Promise<void> {
  await app.db.transaction().execute(async (trx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(trx)
    await act()
  })
}

/** How many connections to the database wait for a lock. */
async function waitingForLocks(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
  return rows[0]?.count ?? 0
}

test('malformed bytes behind a stream end it without a word in it', async () => {
  const { socket, closed, heard } = await open(app.listUrl)
  socket.write(GET('/servers/stream'))
  await expect.poll(heard).toContain('data: ')
  socket.write(GARBAGE)
  await closed
  expect([statuses(heard()), heard().includes('MALFORMED')]).toEqual([[200], false])
})

test('malformed bytes behind an announce that waits for the database end the connection without an answer', async () => {
  const { credential } = await buildServer(owner)
  await whileHeld('credential_uses', async () => {
    const { socket, closed, heard } = await open(app.listUrl)
    socket.write(announceOf(credential))
    await expect.poll(waitingForLocks).toBeGreaterThan(0)
    socket.write(GARBAGE)
    await closed
    expect(heard()).toBe('')
  })
  await expect.poll(async () => (await announceFrom(app, credential)).status).toBe(200)
})

test('malformed bytes behind a call to the panel that waits for the database end the connection without an answer', async () => {
  await whileHeld('sessions', async () => {
    const { socket, closed, heard } = await open(app.panelUrl)
    socket.write(GET('/api/auth/me', `Cookie: muster_session=${'a'.repeat(43)}`))
    await expect.poll(waitingForLocks).toBeGreaterThan(0)
    socket.write(GARBAGE)
    await closed
    expect(heard()).toBe('')
  })
})

test.each([
  ['the list', () => app.listUrl, '/servers/info'],
  ['the panel', () => app.panelUrl, '/api/about'],
])('%s answers what came before malformed bytes in full, then refuses them, in this order', async (_which, url, path) => {
  const { socket, closed, heard } = await open(url())
  socket.write(`${GET(path)}${GARBAGE}`)
  await closed
  // What was asked for is answered, or the connection has ended: never is the refusal in its place.
  expect([[200, 400], []]).toContainEqual(statuses(heard()))
  const again = await open(url())
  again.socket.write(GET(path))
  await expect.poll(again.heard).toContain('HTTP/1.1 200')
  again.socket.write(GARBAGE)
  await again.closed
  expect(statuses(again.heard())).toEqual([200, 400])
})

test('answers that wait for their turn on the connection are all sent before the refusal of what came behind them', async () => {
  const { socket, closed, heard } = await open(app.listUrl)
  socket.write(`${'POST /announce HTTP/1.1\r\nHost: list\r\nContent-Length: 0\r\n\r\n'.repeat(3)}${GARBAGE}`)
  await closed
  expect(statuses(heard())).toEqual([401, 401, 401, 400])
})

test('an announce whose own body is malformed is refused in words', async () => {
  const { credential } = await buildServer(owner)
  const { socket, closed, heard } = await open(app.listUrl)
  const head = `POST /announce HTTP/1.1\r\nHost: list\r\nAuthorization: Bearer ${credential}\r\nTransfer-Encoding: chunked\r\n\r\n`
  socket.write(`${head}no length of a chunk\r\n`)
  await closed
  expect(statuses(heard())).toEqual([400])
})

test('a call that never ends behind a stream ends both in its time, without a word in the stream', async () => {
  const { socket, closed, heard } = await open(app.listUrl)
  socket.write(GET('/servers/stream'))
  await expect.poll(heard).toContain('data: ')
  socket.write('GET /servers HTTP/1.1\r\nX-Slow: ')
  await closed
  expect([statuses(heard()), heard().includes('MALFORMED')]).toEqual([[200], false])
}, 20_000)

/** A proxy that sends all its clients' calls over one connection, the answers back in their order; 502 where that connection ends. */
async function startProxy(to: string): Promise<string> {
  const waiting: Socket[] = []
  let upstream: Socket | undefined
  const reach = () => {
    if (upstream !== undefined) return upstream
    upstream = connect({ port: Number(new URL(to).port), host: '127.0.0.1', noDelay: true })
    upstream.on('error', () => undefined)
    // One answer is one piece here: they are small.
    upstream.on('data', (piece) => waiting.shift()?.end(piece))
    upstream.once('close', () => {
      upstream = undefined
      for (const client of waiting.splice(0)) client.end('HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n')
    })
    return upstream
  }
  const proxy = createTcpServer((client) => {
    client.on('error', () => undefined)
    client.once('data', (call) => {
      waiting.push(client)
      reach().write(call)
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.close()
    upstream?.destroy()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

test('through a proxy that reuses its connection nobody is answered with the refusal of what another one sent', async () => {
  const { credential } = await buildServer(owner)
  const proxyUrl = await startProxy(app.listUrl)
  await whileHeld('credential_uses', async () => {
    const gameServer = await open(proxyUrl)
    gameServer.socket.write(announceOf(credential))
    await expect.poll(waitingForLocks).toBeGreaterThan(0)
    const vandal = await open(proxyUrl)
    vandal.socket.write(GARBAGE)
    await Promise.all([gameServer.closed, vandal.closed])
    expect(statuses(gameServer.heard())).toEqual([502])
  })
  const again = await open(proxyUrl)
  again.socket.write(announceOf(credential))
  await again.closed
  expect(statuses(again.heard())).toEqual([200])
})
