/** Hostile or broken senders cannot harm the list or other servers. */
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { ban, buildServer, validAnnounce, portOf } from '#tests/factories.ts'
import { type TestUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList, send } from '#tests/list/send.ts'

const attemptsOf = (app: TestApp, id: string) =>
  app.db.selectFrom('announce_attempts').select(['code', 'detail']).where('server_id', '=', id).execute()

describe('a sender that disconnects before its announce is read', () => {
  test('does not prevent other announces from being saved', async () => {
    const app = await startApp()
    const owner = await fleetOwner(app)
    const [broken, healthy] = [await buildServer(owner), await buildServer(owner)]
    await announceFrom(app, broken.credential)
    const body = JSON.stringify({ port: 1, playersCount: 0, maxPlayersCount: 1, passworded: false, version: '1', branch: 'release' })
    for (let round = 0; round < 8; round += 1) {
      const socket = connect(Number(new URL(app.listUrl).port), '127.0.0.1')
      await new Promise<void>((resolve) => {
        socket.once('connect', resolve)
      })
      socket.write(
        `POST /announce HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${broken.credential}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      )
      socket.resetAndDestroy()
      await sleep(20)
    }
    await announceFrom(app, healthy.credential)
    await expect.poll(() => attemptsOf(app, healthy.public_id), { timeout: 10_000 }).toMatchObject([{ code: 'CAME_ONLINE' }])
  })
})

describe('behind a trusted proxy', () => {
  test('a forwarded address may have a port, and junk counts as the address of the proxy that sent it', async () => {
    const app = await startApp({ TRUSTED_PROXIES: '127.0.0.1' })
    const { credential, public_id } = await buildServer(await fleetOwner(app))
    const from = (address: string) => announceFrom(app, credential, {}, { headers: { 'x-forwarded-for': address } })
    const other = await buildServer(await fleetOwner(app))
    const junk = { headers: { 'x-forwarded-for': '203.0.113.9, garbage' } }
    expect((await announceFrom(app, other.credential, {}, junk)).status).toBe(200)
    const addressOf = async (id: string) => (await readList(app)).find((server) => server.publicId === id)?.address
    await expect.poll(() => addressOf(other.public_id)).toBe(`127.0.0.1:${portOf(other.credential)}`)
    expect((await from('203.0.113.7:4711')).status).toBe(200)
    expect((await from('203.0.113.7')).status).toBe(200)
    expect((await from('203.0.113.8')).status).toBe(409)
    expect((await from('::ffff:203.0.113.7')).status).toBe(200)
    await expect.poll(() => addressOf(public_id)).toBe(`203.0.113.7:${portOf(credential)}`)
  })

  test('an IPv6 server is listed in brackets', async () => {
    const app = await startApp({ TRUSTED_PROXIES: '127.0.0.1' })
    const { credential } = await buildServer(await fleetOwner(app))
    await announceFrom(app, credential, {}, { headers: { 'x-forwarded-for': '[2001:db8::7]:4711' } })
    await expect.poll(async () => (await readList(app))[0]?.address).toBe(`[2001:db8::7]:${portOf(credential)}`)
  })

  test('a forwarded address from an untrusted sender is ignored', async () => {
    const app = await startApp()
    const { credential } = await buildServer(await fleetOwner(app))
    await announceFrom(app, credential, {}, { headers: { 'x-forwarded-for': '203.0.113.7' } })
    await expect.poll(async () => (await readList(app))[0]?.address).toBe(`127.0.0.1:${portOf(credential)}`)
  })
})

test('a sender at another address cannot use up the rate limit of the real server', async () => {
  const app = await startApp({ RATE_LIMITS: 'on' })
  const { credential } = await buildServer(await fleetOwner(app))
  expect((await announceFrom(app, credential)).status).toBe(200)
  const statuses: number[] = []
  for (let count = 0; count < 14; count += 1) statuses.push((await announceFrom(app, credential, {}, { from: '127.0.0.2' })).status)
  expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 409))
  expect(statuses.at(-1)).toBe(429)
  expect((await announceFrom(app, credential)).status).toBe(200)
})

test('a banned server and the servers of a banned owner are not on the list', async () => {
  const app = await startApp()
  const [owner, bannedOwner] = [await fleetOwner(app), await fleetOwner(app, 'banned')]
  const [unbanned, banned, ofBannedOwner] = [await buildServer(owner), await buildServer(owner), await buildServer(bannedOwner)]
  for (const { credential } of [unbanned, banned, ofBannedOwner]) await announceFrom(app, credential)
  await expect.poll(async () => (await readList(app)).length).toBe(3)
  await app.db.updateTable('servers').set({ banned: true }).where('public_id', '=', banned.public_id).execute()
  await ban(app, bannedOwner.id)
  await app.restart()
  expect((await readList(app)).map((server) => server.publicId)).toEqual([unbanned.public_id])
})

test('without the benefit the reply disables cloud auth, and a missing early auth URL gets a notice', async () => {
  const app = await startApp()
  const owner = await app.signIn('plain')
  const { credential } = await buildServer(owner)
  const { reply } = await announceFrom(app, credential, { useEarlyAuth: true })
  expect(reply.features).toEqual({ cloudAuth: false })
  expect(reply.notices.map((notice) => notice.code)).toEqual(['EARLY_AUTH_URL_MISSING'])
})

test('an owner sees each rejection with its invalid field, even after a restart', async () => {
  const app = await startApp()
  const owner = await fleetOwner(app)
  const { credential, public_id: id } = await buildServer(owner)
  for (const invalid of [{ port: 0 }, { version: 1 }, { branch: null }])
    expect((await announceFrom(app, credential, invalid)).status).toBe(400)
  const { data } = await owner.call(servers.announces, { params: { id } })
  expect(data.map((attempt) => attempt.message.split(' ')[0])).toEqual(['branch', 'version', 'port'])
  await app.restart()
  expect((await owner.call(servers.announces, { params: { id } })).data).toEqual(data)
})

test('an old credential in its grace period is recorded with its own address and changes nothing', async () => {
  const app = await startApp()
  const owner = await fleetOwner(app)
  const { credential, public_id: id } = await buildServer(owner)
  await announceFrom(app, credential, { playersCount: 1 })
  const { data: reissued } = await owner.call(servers.reissue, { params: { id }, body: { grace_seconds: 3600 } })
  await announceFrom(app, reissued.credential, { playersCount: 2 }, { from: '127.0.0.3' })
  // Accepted announces are recorded in steps of 100 ms.
  app.clock.advance(16)
  expect((await announceFrom(app, credential, { playersCount: 3 })).status).toBe(200)
  const { data } = await owner.call(servers.announces, { params: { id } })
  expect(data[0]).toMatchObject({ outcome: 'accepted', code: 'ACCEPTED_OLD_CREDENTIAL', address: '127.0.0.1' })
  const { data: server } = await owner.call(servers.get, { params: { id } })
  expect(server.live).toMatchObject({ players: 2, address: `127.0.0.3:${portOf(reissued.credential)}` })
  expect(server.bound_address).toBe('127.0.0.3')
  expect(server.previous_credential_last_used_at).not.toBeNull()
})

test('an empty filtered list has the version of the current list', async () => {
  const app = await startApp()
  const { credential } = await buildServer(await fleetOwner(app))
  const versionOf = async (path: string) => (await send(`${app.listUrl}${path}`)).headers['x-list-version']
  await versionOf('/servers?branch=nobodys')
  await announceFrom(app, credential)
  await expect.poll(() => readList(app)).toHaveLength(1)
  expect(await versionOf('/servers?branch=nobodys')).toBe(await versionOf('/servers'))
})

test('an edit does not reset the time since which a server is hidden', async () => {
  const app = await startApp()
  const owner = await fleetOwner(app)
  const { public_id: id } = await buildServer(owner, { visible: false })
  const since = async () =>
    (await owner.call(servers.get, { params: { id } })).data.listing.reasons.find(({ code }) => code === 'HIDDEN')?.since
  const before = await since()
  expect(before).toMatch(/Z$/)
  await owner.call(servers.change, { params: { id }, body: { description: 'An edit', visible: false } })
  expect(await since()).toBe(before)
  await owner.call(servers.change, { params: { id }, body: { visible: true } })
  expect(await since()).toBeUndefined()
})

test('a server and the totals are compressed on request, with the same ETag', async () => {
  const app = await startApp()
  const { public_id: id } = await buildServer(await fleetOwner(app))
  for (const path of [`/servers/${id}`, '/servers/info']) {
    const plain = await send(`${app.listUrl}${path}`)
    for (const encoding of ['gzip', 'br']) {
      const compressed = await send(`${app.listUrl}${path}`, { headers: { 'accept-encoding': encoding } })
      expect(compressed.headers).toMatchObject({ 'content-encoding': encoding, vary: 'Accept-Encoding', etag: plain.headers.etag })
      // fetch decompresses, so the result equals the plain body.
      expect(await (await fetch(`${app.listUrl}${path}`, { headers: { 'accept-encoding': encoding } })).text()).toBe(plain.text)
    }
  }
})

test('reads of one server are limited per address', async () => {
  const app = await startApp({ RATE_LIMITS: 'on' })
  const { public_id: id } = await buildServer(await fleetOwner(app))
  let last = await send(`${app.listUrl}/servers/${id}`)
  for (let count = 0; count < 2000 && last.status === 200; count += 1) last = await send(`${app.listUrl}/servers/${id}`)
  expect(last.status).toBe(429)
  expect(Number(last.headers['retry-after'])).toBeGreaterThanOrEqual(1)
})

test('an announce whose path has a slash too many is accepted, and a very large one gets its 413', async () => {
  const app = await startApp()
  const { credential } = await buildServer(await app.newUser())
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
  const doubled = await send(`${app.listUrl}//announce`, { method: 'POST', headers, body: JSON.stringify(validAnnounce) })
  expect([doubled.status, doubled.text]).toEqual([200, expect.stringContaining('"listed":true')])
  // `fetch` sends the body until it has a reply.
  for (let count = 0; count < 5; count += 1)
    expect((await fetch(`${app.listUrl}/announce`, { method: 'POST', headers, body: ' '.repeat(3_000_000) })).status).toBe(413)
})

test('an announce that names the whole URL, as for a proxy, is accepted', async () => {
  const app = await startApp()
  const { credential } = await buildServer(await app.newUser())
  const { host, hostname, port } = new URL(app.listUrl)
  const body = JSON.stringify(validAnnounce)
  const socket = connect(Number(port), hostname)
  socket.write(
    `POST ${app.listUrl}/announce HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${credential}\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  expect((await text(socket)).slice(0, 15)).toBe('HTTP/1.1 200 OK')
})

describe('malformed requests and announces', () => {
  let app: TestApp
  let owner: TestUser
  beforeAll(async () => {
    app = await startApp()
    owner = await fleetOwner(app)
  })

  test.each([
    ['no Host', 'GET /servers/info HTTP/1.1\r\nConnection: close\r\n\r\n', [200, 400]],
    ['an expectation', 'GET /servers HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\n\r\n', [417]],
    ['no HTTP at all', 'hello\r\n\r\n', [400]],
  ])('%s gets a complete reply', async (_what, text, statuses) => {
    const response = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(app.listUrl).port), '127.0.0.1', () => socket.write(text))
      let received = ''
      socket.on('data', (chunk) => {
        received += chunk.toString()
      })
      socket.on('close', () => resolve(received))
      socket.on('error', reject)
    })
    expect(statuses).toContain(Number(response.split(' ')[1]))
    expect(() => JSON.parse(response.split('\r\n\r\n')[1] ?? '') as unknown).not.toThrow()
  })

  test.each([
    [{ version: '\u202Eabc' }],
    [{ branch: 'a\u200Bb' }],
    [{ gameMode: '\u2028' }],
    [{ cdnUrl: 'https://user:pass@evil.example/' }],
    [{ cdnUrl: 'javascript:alert(1)' }],
  ])('an announce with %j is rejected', async (body) => {
    const { credential } = await buildServer(owner)
    expect((await announceFrom(app, credential, body)).status).toBe(400)
  })

  test('null is accepted for every optional field', async () => {
    const { credential } = await buildServer(owner)
    const nulls = {
      host: null,
      gameMode: null,
      queueCount: null,
      useVoiceChat: null,
      useEarlyAuth: null,
      earlyAuthUrl: null,
      useCdn: null,
      cdnUrl: null,
    }
    expect((await announceFrom(app, credential, nulls)).status).toBe(200)
  })
})
