/** Announces that repeat an earlier one, and those that differ a little. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import * as admin from '#contract/servers/servers-admin.ts'
import { buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList, send } from '#tests/list/send.ts'

let app: TestApp
let owner: Awaited<ReturnType<typeof fleetOwner>>
let administrator: SignedInUser

beforeAll(async () => {
  app = await startApp()
  owner = await fleetOwner(app)
  administrator = await app.signIn('admin')
})

/** The server's row on the list; undefined if unlisted. */
const listed = async (publicId: string) => (await readList(app)).find((server) => server.publicId === publicId)

const counts = (publicId: string) => async () => {
  const row = await listed(publicId)
  return row === undefined ? undefined : [row.playersCount, row.queueCount]
}

describe('a body that was accepted before', () => {
  test('keeps its server on the list, while a silent server expires', async () => {
    const own = await startApp()
    const user = await fleetOwner(own)
    const [active, silent] = [await buildServer(user), await buildServer(user)]
    const ids = async () => new Set((await readList(own)).map(({ publicId }) => publicId))
    for (const { credential } of [silent, active]) await announceFrom(own, credential)
    await expect.poll(ids).toEqual(new Set([silent.public_id, active.public_id]))
    for (let announce = 0; announce < 3; announce += 1) {
      own.clock.advance(own.env.ANNOUNCE_TTL_SECONDS * 400)
      expect((await announceFrom(own, active.credential)).status).toBe(200)
    }
    await expect.poll(ids).toEqual(new Set([active.public_id]))
    const { data } = await user.call(servers.announces, { params: { id: active.public_id } })
    expect(data.map(({ code }) => code)).toEqual(['ACCEPTED', 'ACCEPTED', 'ACCEPTED', 'CAME_ONLINE'])
    await own.close()
  })

  test('gets its notices each time', async () => {
    const { credential, public_id } = await buildServer(owner)
    for (let announce = 0; announce < 3; announce += 1) {
      const { reply } = await announceFrom(app, credential, { playersCount: 70, maxPlayersCount: 64 })
      expect(reply.notices.map(({ code }) => code)).toEqual(['PLAYERS_ABOVE_SLOTS'])
    }
    expect((await announceFrom(app, credential, { playersCount: 60, maxPlayersCount: 64 })).reply.notices).toEqual([])
    await expect.poll(counts(public_id)).toEqual([60, 0])
  })

  test('gets a reply that reflects changes made in the panel', async () => {
    const { credential, public_id } = await buildServer(owner)
    expect((await announceFrom(app, credential)).reply).toMatchObject({ listed: true, notices: [] })
    await owner.call(servers.change, { params: { id: public_id }, body: { visible: false } })
    const { reply } = await announceFrom(app, credential)
    expect(reply).toMatchObject({ listed: false, notices: [{ code: 'HIDDEN' }] })
  })

  test('lists a server again that has left', async () => {
    const { credential, public_id } = await buildServer(owner)
    await announceFrom(app, credential)
    await expect.poll(counts(public_id)).toEqual([12, 0])
    await send(`${app.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${credential}` } })
    await expect.poll(counts(public_id)).toBeUndefined()
    expect((await announceFrom(app, credential)).reply.listed).toBe(true)
    await expect.poll(counts(public_id)).toEqual([12, 0])
  })

  test('is rejected while its server is banned', async () => {
    const { credential, public_id } = await buildServer(owner)
    await announceFrom(app, credential)
    const banned = (value: boolean) => administrator.call(admin.banServer, { params: { id: public_id }, body: { banned: value } })
    expect((await banned(true)).status).toBe(200)
    expect((await announceFrom(app, credential)).rejection.code).toBe('SERVER_BANNED')
    await banned(false)
    expect((await announceFrom(app, credential)).reply.listed).toBe(true)
    await expect.poll(counts(public_id)).toEqual([12, 0])
  })

  test('is rejected from another address', async () => {
    const { credential } = await buildServer(owner)
    await announceFrom(app, credential)
    expect((await announceFrom(app, credential, {}, { from: '127.0.0.9' })).rejection.code).toBe('ADDRESS_MISMATCH')
    expect((await announceFrom(app, credential)).status).toBe(200)
  })

  test('is remembered separately for each server', async () => {
    const [one, other] = [await buildServer(owner), await buildServer(owner)]
    await announceFrom(app, one.credential, { playersCount: 31 })
    await announceFrom(app, other.credential, { playersCount: 32 })
    await announceFrom(app, other.credential, { playersCount: 31 })
    await expect.poll(counts(one.public_id)).toEqual([31, 0])
    await expect.poll(counts(other.public_id)).toEqual([31, 0])
  })

  test('with an old credential does not change the state of the new credential', async () => {
    const { credential, public_id } = await buildServer(owner)
    await announceFrom(app, credential, { playersCount: 5 })
    const { data } = await owner.call(servers.reissue, { params: { id: public_id }, body: { grace_seconds: 3600 } })
    for (let round = 0; round < 2; round += 1) {
      await announceFrom(app, data.credential, { playersCount: 6 })
      expect((await announceFrom(app, credential, { playersCount: 5 })).reply.notices.map(({ code }) => code)).toEqual(['OLD_CREDENTIAL'])
    }
    await expect.poll(counts(public_id)).toEqual([6, 0])
    await announceFrom(app, data.credential, { playersCount: 5 })
    await expect.poll(counts(public_id)).toEqual([5, 0])
  })

  test('has the same effect after a restart', async () => {
    const own = await startApp()
    const { credential, public_id } = await buildServer(await fleetOwner(own))
    const players = async () => (await readList(own)).find((server) => server.publicId === public_id)?.playersCount
    await announceFrom(own, credential, { playersCount: 7 })
    await own.restart()
    for (const count of [7, 7, 8, 7, 7]) {
      expect((await announceFrom(own, credential, { playersCount: count })).status).toBe(200)
      await expect.poll(players).toBe(count)
    }
    await own.close()
  })
})

describe('a body that differs', () => {
  test('in any number, of any length, updates the list and the panel', async () => {
    const { credential, public_id } = await buildServer(owner)
    for (const expected of [
      [12, 21],
      [21, 12],
      [21, 21],
    ]) {
      await announceFrom(app, credential, { playersCount: expected[0], queueCount: expected[1] })
      await expect.poll(counts(public_id)).toEqual(expected)
    }
    for (const players of [11, 12, 11, 0, 9, 10, 99, 100, 99, 9, 0]) {
      await announceFrom(app, credential, { playersCount: players })
      const { data } = await owner.call(servers.get, { params: { id: public_id } })
      expect(data.live).toMatchObject({ players })
    }
  })

  test('and is rejected leaves the previous state, which can be repeated afterwards', async () => {
    const { credential, public_id } = await buildServer(owner)
    await announceFrom(app, credential)
    const rejected = async () => (await announceFrom(app, credential, { playersCount: -12 })).rejection.code
    expect([await rejected(), await rejected()]).toEqual(['BODY_INVALID', 'BODY_INVALID'])
    expect((await announceFrom(app, credential)).status).toBe(200)
    await expect.poll(counts(public_id)).toEqual([12, 0])
  })
})
