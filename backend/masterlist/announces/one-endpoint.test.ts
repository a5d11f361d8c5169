/** One endpoint is one row, one credential is one process, and a private network is no place for players. */
import { beforeAll, describe, expect, test } from 'vitest'
import { adminServers } from '#contract/servers/servers-admin.ts'
import * as servers from '#contract/servers/servers.ts'
import { buildServer, portOf } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList, readOne, send } from '#tests/list/send.ts'

const TTL_MS = 75_000

let app: TestApp
let owner: SignedInUser
beforeAll(async () => {
  app = await startApp({ TRUSTED_PROXIES: '127.0.0.1' })
  owner = await fleetOwner(app)
})

const codes = ({ reply }: Awaited<ReturnType<typeof announceFrom>>) => reply.notices.map(({ code }) => code)

async function newServer(user = owner, on = app) {
  const { credential, public_id: id, name } = await buildServer(user)
  const announce = (body: Record<string, unknown> = {}, from = '198.51.100.7') =>
    announceFrom(on, credential, body, { headers: { 'x-forwarded-for': from } })
  const leave = (port?: number) => {
    const body = JSON.stringify({ port })
    const headers = { authorization: `Bearer ${credential}`, 'x-forwarded-for': '198.51.100.7', 'content-length': `${body.length}` }
    return send(`${on.listUrl}/announce`, { method: 'DELETE', body, headers })
  }
  const reasons = async () => (await user.call(servers.get, { params: { id } })).data.listing.reasons
  const isListed = async () => (await readList(on)).some(({ publicId }) => publicId === id)
  return { id, name, credential, announce, leave, reasons, isListed, port: portOf(credential) }
}

type Announce = Awaited<ReturnType<typeof newServer>>['announce']

describe('two servers at one address and port', () => {
  test('are one row: the one that was there first, until it is silent for the time to live', async () => {
    const [first, second] = [await newServer(), await newServer()]
    expect(codes(await first.announce({ port: first.port, playersCount: 50 }))).toEqual([])
    await expect.poll(first.isListed).toBe(true)
    const info = async () => JSON.parse((await send(`${app.listUrl}/servers/info`)).text) as { playersCount: number }
    const before = await info()
    const late = await second.announce({ port: first.port, playersCount: 50 })
    expect([late.status, late.reply.listed, codes(late)]).toEqual([200, false, ['DUPLICATE_ADDRESS']])
    expect(await info()).toEqual(before)
    expect((await second.reasons())[0]).toMatchObject({ code: 'DUPLICATE_ADDRESS', message: expect.stringContaining(first.name) })
    app.clock.advance(TTL_MS - 5000)
    await second.announce({ port: first.port, playersCount: 50 })
    expect(await second.isListed()).toBe(false)
    app.clock.advance(6000)
    await expect.poll(second.isListed).toBe(true)
    expect(await first.isListed()).toBe(false)
    expect(codes(await first.announce({ port: first.port }))).toEqual(['DUPLICATE_ADDRESS'])
    expect(await second.isListed()).toBe(true)
    await second.leave(first.port)
    await expect.poll(first.isListed).toBe(true)
    expect((await first.reasons()).map(({ code }) => code)).toEqual(['LISTED'])
  })

  test('are found by administrators, like servers in private networks and those whose host is not proven', async () => {
    const admin = await app.signIn('admin')
    const [first, second, inPrivate, unproven] = [await newServer(), await newServer(), await newServer(), await newServer()]
    for (const server of [first, second]) await server.announce({ port: first.port })
    await inPrivate.announce({}, '192.168.1.1')
    await unproven.announce({ host: 'play.example.com' })
    const found = async (problem: 'private' | 'duplicate' | 'unproven') =>
      (await admin.call(adminServers, { query: { problem: [problem], per_page: '100' } })).data.data.map(({ public_id: id }) => id)
    expect(await found('duplicate')).toEqual(expect.arrayContaining([second.id]))
    expect(await found('duplicate')).not.toContain(first.id)
    expect(await found('private')).toContain(inPrivate.id)
    expect(await found('unproven')).toEqual([unproven.id])
    expect((await admin.fetch('/api/admin/tokens?problem=odd')).status).toBe(400)
  })

  test('name the other server only to its owner', async () => {
    const [mine, theirs] = [await newServer(), await newServer(await app.newUser())]
    await mine.announce({ port: mine.port })
    const { reply } = await theirs.announce({ port: mine.port })
    expect(reply.notices).toEqual([{ code: 'DUPLICATE_ADDRESS', message: expect.not.stringContaining(mine.name) }])
    expect((await theirs.reasons())[0]?.message).not.toContain(mine.name)
  })

  test('are two rows if the first is hidden, moves to another port, or is at another address', async () => {
    const [first, second, third] = [await newServer(), await newServer(), await newServer()]
    await first.announce({ port: first.port })
    expect((await second.announce({ port: first.port }, '198.51.100.8')).reply.listed).toBe(true)
    expect((await third.announce({ port: first.port })).reply.listed).toBe(false)
    await owner.call(servers.change, { params: { id: first.id }, body: { visible: false } })
    await expect.poll(third.isListed).toBe(true)
    await owner.call(servers.change, { params: { id: first.id }, body: { visible: true } })
    await expect.poll(first.isListed).toBe(true)
    expect(await third.isListed(), 'the first was there before').toBe(false)
    await first.announce({ port: first.port + 1 })
    await expect.poll(third.isListed).toBe(true)
    expect(await first.isListed()).toBe(true)
  })

  test('of which the first is deleted: its successor is listed at once', async () => {
    const [first, second] = [await newServer(), await newServer()]
    for (const server of [first, second]) await server.announce({ port: first.port })
    await owner.call(servers.remove, { params: { id: first.id } })
    await expect.poll(second.isListed).toBe(true)
    expect(codes(await second.announce({ port: first.port }))).toEqual([])
  })

  test('claimed by twenty credentials at once are one row', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, () => newServer()))
    const port = all[0]?.port ?? 0
    await Promise.all(all.map(({ announce }) => announce({ port })))
    const rows = async () => (await readList(app)).filter((row) => row.port === port)
    await expect.poll(async () => (await rows()).length).toBe(1)
    expect((await Promise.all(all.map(({ announce }) => announce({ port })))).filter(({ reply }) => reply.listed)).toHaveLength(1)
  })
})

// Elsewhere, only one of them is shown (FakeFishGames/Barotrauma#6412).
test('servers at one address with ports of their own are all listed', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => newServer()))
  for (let round = 0; round < 2; round += 1) {
    const replies = await Promise.all(all.map(({ announce }, index) => announce({ port: 10_001 + index })))
    expect(replies.flatMap(codes)).toEqual([])
    for (const { isListed } of all) await expect.poll(isListed).toBe(true)
  }
})

// Elsewhere, what is left of the crashed one blocks it (R2Northstar/NorthstarLauncher#169).
test('a server that crashes and starts again at once, on its port or another, is one row where it is now', async () => {
  const { id, port, announce } = await newServer()
  for (const each of [port, port, port + 1]) {
    const { reply } = await announce({ port: each })
    expect([reply.listed, reply.notices]).toEqual([true, []])
    await expect.poll(async () => (await readList(app)).filter(({ publicId }) => publicId === id)).toMatchObject([{ port: each }])
  }
})

describe('two processes with one credential', () => {
  /** No two within one millisecond: none would be first. */
  async function announceAt(announce: Announce, ports: readonly number[]): Promise<void> {
    for (const port of ports) {
      await announce({ port })
      app.clock.advance(1)
    }
  }

  test('keep the entry with the port that was first, and both get a notice that names the other', async () => {
    const { id, port, announce, reasons } = await newServer()
    const other = port + 1
    const portNow = async () => (await readOne(app, id)).port
    expect(codes(await announce({ port }))).toEqual([])
    expect(codes(await announce({ port: other })), 'one change of port is a restart').toEqual([])
    expect(await portNow()).toBe(other)
    const back = await announce({ port })
    expect(back.reply.notices).toEqual([
      {
        code: 'TWO_PROCESSES',
        message: `Another process announces with this credential, on port ${other}. Create a second server for it.`,
      },
    ])
    for (let round = 0; round < 4; round += 1) {
      const late = await announce({ port: other, playersCount: 40 })
      expect(late.reply.notices[0]?.message).toContain(`on port ${port}.`)
      expect(codes(await announce({ port, playersCount: 2 }))).toEqual(['TWO_PROCESSES'])
      expect(await readOne(app, id)).toMatchObject({ port, playersCount: 2 })
    }
    expect((await reasons()).map(({ code }) => code)).toContain('TWO_PROCESSES')
    const { data } = await owner.call(servers.announces, { params: { id } })
    expect(data.map(({ code }) => code)).toContain('TWO_PROCESSES')
  })

  test('end when the first is silent for the time to live: the other takes over without a gap', async () => {
    const { id, port, announce, reasons } = await newServer()
    await announceAt(announce, [port, port + 1, port])
    app.clock.advance(TTL_MS - 10_000)
    await announce({ port: port + 1 })
    app.clock.advance(11_000)
    await expect.poll(async () => (await readOne(app, id)).port).toBe(port + 1)
    expect((await readOne(app, id)).available).toBe(true)
    expect(codes(await announce({ port: port + 1 }))).toEqual([])
    expect((await reasons()).map(({ code }) => code)).toEqual(['LISTED'])
  })

  test('that fall silent one after the other are offline when the time to live of the second ends', async () => {
    const { id, port, announce } = await newServer()
    await announceAt(announce, [port, port + 1, port])
    app.clock.advance(TTL_MS - 30_000)
    await announce({ port: port + 1 })
    app.clock.advance(31_000)
    await expect.poll(async () => (await readOne(app, id)).port).toBe(port + 1)
    app.clock.advance(TTL_MS - 30_000)
    await expect.poll(async () => (await readOne(app, id)).available).toBe(false)
  })

  test('end when the first says goodbye: the other takes over at once, and only its own goodbye takes the server offline', async () => {
    const { id, port, announce, leave, reasons } = await newServer()
    await announceAt(announce, [port, port + 1, port, port + 1])
    expect((await leave(port)).status).toBe(204)
    expect(await readOne(app, id)).toMatchObject({ available: true, port: port + 1 })
    expect(codes(await announce({ port: port + 1 }))).toEqual([])
    expect((await leave(port)).status).toBe(204)
    expect((await readOne(app, id)).available).toBe(true)
    expect((await reasons()).map(({ code }) => code)).toEqual(['LISTED'])
    expect((await leave(port + 1)).status).toBe(204)
    expect((await readOne(app, id)).available).toBe(false)
  })

  test('both end with a goodbye that names no port', async () => {
    const { id, port, announce, leave } = await newServer()
    await announceAt(announce, [port, port + 1, port, port + 1])
    expect((await leave()).status).toBe(204)
    expect((await readOne(app, id)).available).toBe(false)
  })

  test('keep only the one that still announces: after the goodbye of the other, one of the entry takes the server offline', async () => {
    const { id, port, announce, leave } = await newServer()
    await announceAt(announce, [port, port + 1, port, port + 1])
    expect((await leave(port + 1)).status).toBe(204)
    expect(await readOne(app, id)).toMatchObject({ available: true, port })
    expect((await leave(port)).status).toBe(204)
    expect((await readOne(app, id)).available).toBe(false)
  })

  test('of which the other has been silent for the time to live: a goodbye of the entry takes the server offline', async () => {
    const { id, port, announce, leave } = await newServer()
    await announceAt(announce, [port, port + 1, port, port + 1])
    app.clock.advance(TTL_MS - 5000)
    await announce({ port })
    app.clock.advance(6000)
    expect((await leave(port)).status).toBe(204)
    expect((await readOne(app, id)).available).toBe(false)
  })

  test('of which the other has said goodbye: it never takes over', async () => {
    const { id, port, announce, leave } = await newServer()
    await announceAt(announce, [port, port + 1, port, port + 1])
    await leave(port + 1)
    app.clock.advance(TTL_MS + 1000)
    await expect.poll(async () => (await readOne(app, id)).available).toBe(false)
  })

  test('notify the owner once', async () => {
    const user = await app.newUser()
    const { id, port, announce } = await newServer(user)
    await announceAt(announce, [port, port + 1, port, port + 1, port])
    await app.runJob('watch-servers')
    await app.runJob('watch-servers')
    const notifications = await app.db.selectFrom('notifications').select('type').where('server_id', '=', id).execute()
    expect(notifications.filter(({ type }) => type === 'credential.shared')).toHaveLength(1)
  })
})

describe('a server in a private network', () => {
  const PRIVATE = ['10.1.2.3', '192.168.1.1', '172.17.0.1', '100.64.0.1', '169.254.7.7', 'fd00::1', 'fe80::1']

  test.each(PRIVATE)('%s is listed with a notice outside production', async (address) => {
    const { announce } = await newServer()
    const { reply } = await announce({}, address)
    expect([reply.listed, reply.notices.map(({ code }) => code)]).toEqual([true, ['PRIVATE_ADDRESS']])
  })

  test.each(PRIVATE)('%s is not listed where the operator rejects it, as production does', async (address) => {
    const rejecting = await startApp({ TRUSTED_PROXIES: '127.0.0.1', PRIVATE_ADDRESSES: 'reject' })
    const { announce, reasons } = await newServer(await fleetOwner(rejecting), rejecting)
    const { reply } = await announce({}, address)
    expect([reply.listed, reply.notices.map(({ code }) => code)]).toEqual([false, ['PRIVATE_ADDRESS']])
    expect((await reasons())[0]).toMatchObject({ code: 'PRIVATE_ADDRESS', message: expect.stringMatching(/public address.*`host`/) })
    expect(await readList(rejecting)).toEqual([])
  })

  test('is listed at its public address alone if it has one of the other family', async () => {
    const { id, announce } = await newServer()
    await announce({}, '192.168.1.1')
    expect(codes(await announce({}, '2001:db8:7::1'))).toEqual([])
    const row = await readOne(app, id)
    expect([row.address, row.addresses]).toEqual([`[2001:db8:7::1]:${row.port}`, [`[2001:db8:7::1]:${row.port}`]])
  })
})
