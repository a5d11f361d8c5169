/** Announces of banned servers, hosts in announces, and wrong clocks. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as adminServers from '#contract/servers/servers-admin.ts'
import * as adminUsers from '#contract/users/users-admin.ts'
import * as servers from '#contract/servers/servers.ts'
import type { ListErrorReply } from '#contract/api/errors.ts'
import { newCredential } from '#backend/core/servers/credential.ts'
import { buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readOne, send } from '#tests/list/send.ts'

let app: TestApp
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp()
  owner = await fleetOwner(app)
})

describe('an announce of a banned server', () => {
  const END = '2036-12-03T12:00:00.000Z'
  const ENDS = 'The ban ends on 3 December 2036 at 12:00 UTC.'
  const SERVER = 'The server is banned from the list.'
  const OWNER = 'The owner of this server is banned, so all their servers are off the list.'
  const callerOf = (credential: string) => ({
    announce: (body = {}) => announceFrom(app, credential, body),
    leave: () => send(`${app.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${credential}` } }),
    verify: () => send(`${app.listUrl}/cloud-auth/verify`, { method: 'POST', headers: { authorization: `Bearer ${credential}` } }),
  })
  const errorsOf = ({ text }: { readonly text: string }) => (JSON.parse(text) as ListErrorReply).errors

  test('is rejected with the reason and the end of the ban', async () => {
    const admin = await app.signIn('admin')
    const { credential, public_id: id } = await buildServer(owner)
    const { announce, leave, verify } = callerOf(credential)
    await announce()
    await admin.call(adminServers.banServer, { params: { id }, body: { reason: 'Fake players', banned_until: END } })
    for (const response of [await announce(), await leave(), await verify()])
      expect([response.status, errorsOf(response)]).toEqual([403, [SERVER, 'The reason: Fake players.', ENDS]])
    await admin.call(adminServers.banServer, { params: { id }, body: { reason: 'Still fake!', banned_until: null } })
    expect(errorsOf(await announce())).toEqual([SERVER, 'The reason: Still fake.'])
    await admin.call(adminServers.banServer, { params: { id }, body: { banned: false } })
    expect((await announce()).status).toBe(200)
  })

  test("is rejected with the owner's ban if that is the cause", async () => {
    const admin = await app.signIn('admin')
    const user = await app.newUser()
    const { credential } = await buildServer(user)
    const { announce } = callerOf(credential)
    await announce()
    const setBan = (body: object) => admin.call(adminUsers.banUser, { params: { id: user.id }, body })
    await setBan({})
    expect(errorsOf(await announce())).toEqual([OWNER])
    await setBan({ banReason: 'Sells stolen skins', banned_until: END })
    expect(errorsOf(await announce())).toEqual([OWNER, 'The reason: Sells stolen skins.', ENDS])
    // Also after a restart, from the database.
    await app.restart()
    expect(errorsOf(await callerOf(credential).announce())).toEqual([OWNER, 'The reason: Sells stolen skins.', ENDS])
  })

  test('shows the ban reason neither without a valid credential nor on the public list', async () => {
    const admin = await app.signIn('admin')
    const { credential, public_id: id } = await buildServer(owner)
    const { announce } = callerOf(credential)
    await announce()
    await owner.call(servers.reissue, { params: { id } })
    await admin.call(adminServers.banServer, { params: { id }, body: { reason: 'A secret matter' } })
    const unauthenticated = [await announce(), await announceFrom(app, undefined), await announceFrom(app, newCredential(id).reveal())]
    expect(unauthenticated.map(({ status }) => status)).toEqual([401, 401, 401])
    const texts = [...unauthenticated.map(({ text }) => text), (await send(`${app.listUrl}/servers/${id}`)).text]
    expect(texts.join('')).not.toContain('secret matter')
  })
})

describe('hosts in an announce', () => {
  const PUBLIC = [
    'play.example.com',
    'Play.Example.com:7788',
    '93.184.215.14',
    '93.184.215.14:7788',
    '[2606:2800:21f::1]:7788',
    'münchen.example',
  ]

  test.each([...PUBLIC, '2606:2800:21f::1', ''])('%j is accepted as host', async (host) => {
    const { credential } = await buildServer(owner)
    expect((await announceFrom(app, credential, { host })).status).toBe(200)
  })

  test.each(PUBLIC)('%s is accepted in URLs', async (host) => {
    const { credential } = await buildServer(owner)
    const urls = { cdnUrl: `http://${host}/files`, earlyAuthUrl: `https://${host}/` }
    expect((await announceFrom(app, credential, urls)).status).toBe(200)
  })

  test('a private host is rejected with a sentence for each field, and the list keeps the previous state', async () => {
    const { credential, public_id: id } = await buildServer(owner)
    await announceFrom(app, credential, { useCdn: true, cdnUrl: 'https://cdn.example.com/' })
    const { rejection: announceRejection } = await announceFrom(app, credential, {
      useCdn: true,
      cdnUrl: 'http://192.168.1.2/',
      host: '10.0.0.7',
    })
    expect(announceRejection.errors).toEqual([
      'cdnUrl must name a host on the public internet.',
      'host must name a host on the public internet.',
    ])
    expect((await readOne(app, id)).cdnUrl).toBe('https://cdn.example.com/')
  })

  test('private addresses are accepted with REACHABILITY_PRIVATE, but bare names are not', async () => {
    const privateApp = await startApp({ REACHABILITY_PRIVATE: 'on' })
    const user = await privateApp.signIn('owner')
    const { credential } = await buildServer(user)
    for (const name of ['127.0.0.1', '192.168.1.2', '[fd00::1]', 'nas.local']) {
      const body = { host: name, cdnUrl: `http://${name}/`, earlyAuthUrl: `http://${name}/` }
      expect([name, (await announceFrom(privateApp, credential, body)).status]).toEqual([name, 200])
    }
    for (const field of ['host', 'cdnUrl', 'earlyAuthUrl']) {
      const value = field === 'host' ? 'nas' : 'http://nas/'
      expect([field, (await announceFrom(privateApp, credential, { [field]: value })).status]).toEqual([field, 400])
    }
  })
})

describe('a wall clock that jumps ahead and back', () => {
  test('leaves no future time on the list after the next announce, also after a restart', async () => {
    const own = await startApp()
    const { credential, public_id: id } = await buildServer(await fleetOwner(own))
    const secondsAhead = async () => (Date.parse((await readOne(own, id)).lastTimeUpdate) - Date.now()) / 1000
    expect((await announceFrom(own, credential, { playersCount: 1 })).status).toBe(200)
    own.clock.setClockError(3_600_000)
    expect((await announceFrom(own, credential, { playersCount: 2 })).status).toBe(200)
    await expect.poll(secondsAhead).toBeGreaterThan(3500)
    own.clock.setClockError(0)
    // The same announce again, unchanged.
    expect((await announceFrom(own, credential, { playersCount: 2 })).status).toBe(200)
    await expect.poll(secondsAhead).toBeLessThan(5)
    await expect
      .poll(async () =>
        (await sql<{ at: Date }>`select changed_at as at from presence where server_id = ${id}`.execute(own.db)).rows[0]?.at.getTime(),
      )
      .toBeLessThan(Date.now() + 5000)
    await own.restart()
    expect(await secondsAhead()).toBeLessThan(5)
    expect((await announceFrom(own, credential, { playersCount: 3 })).status).toBe(200)
    await expect.poll(async () => (await readOne(own, id)).playersCount).toBe(3)
  })

  test('leaves no future time for a server that came online in between', async () => {
    const own = await startApp()
    const { credential, public_id: id } = await buildServer(await fleetOwner(own))
    own.clock.setClockError(3_600_000)
    expect((await announceFrom(own, credential)).status).toBe(200)
    own.clock.setClockError(0)
    expect((await announceFrom(own, credential)).status).toBe(200)
    await expect.poll(async () => Date.parse((await readOne(own, id)).lastTimeUpdate) - Date.now()).toBeLessThan(5000)
    await own.restart()
    const { rows } = await sql<{ is_future: boolean }>`
      select greatest(since, last_announce_at, changed_at) > now() + interval '10 seconds' as is_future from presence where server_id = ${id}`.execute(
      own.db,
    )
    expect(rows).toEqual([{ is_future: false }])
  })
})
