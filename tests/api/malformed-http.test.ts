/** Malformed HTTP on a connection with pending requests: no request receives the rejection of another. */
import { once } from 'node:events'
import { type AddressInfo, type Socket, connect, createServer as createTcpServer } from 'node:net'
import { sql } from 'kysely'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { validAnnounce, buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner } from '#tests/list/send.ts'

const GARBAGE = 'this is no HTTP\r\n\r\n'
const GET = (path: string, ...headers: string[]) => `GET ${path} HTTP/1.1\r\n${['Host: localhost', ...headers].join('\r\n')}\r\n\r\n`

let app: TestApp
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp()
  owner = await fleetOwner(app)
})

/** Opens a connection to a listener and collects what it receives. */
async function open(url: string) {
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', noDelay: true })
  onTestFinished(() => void socket.destroy())
  let received = ''
  socket.on('data', (piece) => (received += piece.toString()))
  // The connection may end with a reset.
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  await once(socket, 'connect')
  return { socket, closed, received: () => received }
}

const announceOf = (credential: string) => {
  const body = JSON.stringify(validAnnounce)
  return `POST /announce HTTP/1.1\r\nHost: list\r\nAuthorization: Bearer ${credential}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
}

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))

/** Locks a table during `act`, so that its users wait. */
async function whileLocked(table: string, act: () => Promise<void>): Promise<void> {
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

test('malformed bytes after a stream request end the stream without writing into it', async () => {
  const { socket, closed, received } = await open(app.listUrl)
  socket.write(GET('/servers/stream'))
  await expect.poll(received).toContain('data: ')
  socket.write(GARBAGE)
  await closed
  expect([statuses(received()), received().includes('MALFORMED')]).toEqual([[200], false])
})

test('malformed bytes after an announce that waits for the database close the connection without a response', async () => {
  const { credential } = await buildServer(owner)
  await whileLocked('credential_uses', async () => {
    const { socket, closed, received } = await open(app.listUrl)
    socket.write(announceOf(credential))
    await expect.poll(waitingForLocks).toBeGreaterThan(0)
    socket.write(GARBAGE)
    await closed
    expect(received()).toBe('')
  })
  await expect.poll(async () => (await announceFrom(app, credential)).status).toBe(200)
})

test('malformed bytes after a panel call that waits for the database close the connection without a response', async () => {
  await whileLocked('sessions', async () => {
    const { socket, closed, received } = await open(app.panelUrl)
    socket.write(GET('/api/auth/me', `Cookie: muster_session=${'a'.repeat(43)}`))
    await expect.poll(waitingForLocks).toBeGreaterThan(0)
    socket.write(GARBAGE)
    await closed
    expect(received()).toBe('')
  })
})

test.each([
  ['the list', () => app.listUrl, '/servers/info'],
  ['the panel', () => app.panelUrl, '/api/about'],
])('%s answers a request before malformed bytes and then rejects those, or closes the connection', async (_which, url, path) => {
  const { socket, closed, received } = await open(url())
  socket.write(`${GET(path)}${GARBAGE}`)
  await closed
  // Either both responses in order, or none: never the rejection alone.
  expect([[200, 400], []]).toContainEqual(statuses(received()))
  const again = await open(url())
  again.socket.write(GET(path))
  await expect.poll(again.received).toContain('HTTP/1.1 200')
  again.socket.write(GARBAGE)
  await again.closed
  expect(statuses(again.received())).toEqual([200, 400])
})

test('pipelined requests are all answered before the malformed bytes after them are rejected', async () => {
  const { socket, closed, received } = await open(app.listUrl)
  socket.write(`${'POST /announce HTTP/1.1\r\nHost: list\r\nContent-Length: 0\r\n\r\n'.repeat(3)}${GARBAGE}`)
  await closed
  expect(statuses(received())).toEqual([401, 401, 401, 400])
})

test('an announce with a malformed body gets 400', async () => {
  const { credential } = await buildServer(owner)
  const { socket, closed, received } = await open(app.listUrl)
  const head = `POST /announce HTTP/1.1\r\nHost: list\r\nAuthorization: Bearer ${credential}\r\nTransfer-Encoding: chunked\r\n\r\n`
  socket.write(`${head}no length of a chunk\r\n`)
  await closed
  expect(statuses(received())).toEqual([400])
})

test('an unfinished request after a stream request times out and ends the stream without writing into it', async () => {
  const { socket, closed, received } = await open(app.listUrl)
  socket.write(GET('/servers/stream'))
  await expect.poll(received).toContain('data: ')
  socket.write('GET /servers HTTP/1.1\r\nX-Slow: ')
  await closed
  expect([statuses(received()), received().includes('MALFORMED')]).toEqual([[200], false])
}, 20_000)

/** A proxy that sends the requests of all clients over one connection, and 502 to waiting clients if it ends. */
async function startProxy(to: string): Promise<string> {
  const waiting: Socket[] = []
  let upstream: Socket | undefined
  const connectUpstream = () => {
    if (upstream !== undefined) return upstream
    upstream = connect({ port: Number(new URL(to).port), host: '127.0.0.1', noDelay: true })
    upstream.on('error', () => undefined)
    // Responses are small, so each one arrives as one chunk.
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
      connectUpstream().write(call)
    })
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => {
    proxy.close()
    upstream?.destroy()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
}

test('through a proxy that reuses its connection, no client receives the rejection of another client’s request', async () => {
  const { credential } = await buildServer(owner)
  const proxyUrl = await startProxy(app.listUrl)
  await whileLocked('credential_uses', async () => {
    const gameServer = await open(proxyUrl)
    gameServer.socket.write(announceOf(credential))
    await expect.poll(waitingForLocks).toBeGreaterThan(0)
    const attacker = await open(proxyUrl)
    attacker.socket.write(GARBAGE)
    await Promise.all([gameServer.closed, attacker.closed])
    expect(statuses(gameServer.received())).toEqual([502])
  })
  const again = await open(proxyUrl)
  again.socket.write(announceOf(credential))
  await again.closed
  expect(statuses(again.received())).toEqual([200])
})
