/** When a server is on the list, and the reasons that its owner sees. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { buildServer, portOf } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList, readOne, send } from '#tests/list/send.ts'

let app: TestApp
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp()
  owner = await fleetOwner(app)
})

const isListed = async (id: string) => (await readList(app)).some((row) => row.publicId === id)
async function expectListed(id: string, listed = true): Promise<void> {
  await expect.poll(() => isListed(id)).toBe(listed)
}
const serverOf = async (id: string) => (await owner.call(servers.get, { params: { id } })).data
const codesOf = async (id: string) => (await serverOf(id)).listing.reasons.map((reason) => reason.code)
const leave = (credential: string) =>
  send(`${app.listUrl}/announce`, { method: 'DELETE', headers: { authorization: `Bearer ${credential}` } })

async function onlineServer(fields: Parameters<typeof buildServer>[1] = {}) {
  const server = await buildServer(owner, fields)
  expect((await announceFrom(app, server.credential)).status).toBe(200)
  return server
}

describe('a server leaves the list', () => {
  test('a full TTL after its last announce, and not before', async () => {
    const { credential, public_id } = await onlineServer()
    await expectListed(public_id)
    app.clock.advance(60_000)
    await announceFrom(app, credential)
    app.clock.advance(60_000)
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(await isListed(public_id)).toBe(true)
    app.clock.advance(16_000)
    await expectListed(public_id, false)
    expect(await codesOf(public_id)).toEqual(['OFFLINE'])
    expect((await serverOf(public_id)).listing.reasons[0]?.message).toContain('75 seconds')
    await announceFrom(app, credential)
    await expectListed(public_id)
  })

  test('at once when it leaves on purpose', async () => {
    const { credential, public_id } = await onlineServer()
    await expectListed(public_id)
    expect((await leave(credential)).status).toBe(204)
    await expectListed(public_id, false)
    expect(await codesOf(public_id)).toEqual(['LEFT'])
    expect(await serverOf(public_id)).toMatchObject({ live: null, last_announced: { port: portOf(credential), max_players: 128 } })
    expect((await leave(credential)).status).toBe(204)
    expect((await leave('nonsense')).status).toBe(401)
  })

  test('while it is hidden, and the announce reply says why', async () => {
    const { credential, public_id } = await onlineServer()
    await expectListed(public_id)
    await owner.call(servers.change, { params: { id: public_id }, body: { visible: false } })
    const { reply } = await announceFrom(app, credential)
    expect([reply.listed, reply.notices[0]?.code]).toEqual([false, 'HIDDEN'])
    const german = await announceFrom(app, credential, {}, { headers: { 'accept-language': 'de-CH, en;q=0.5' } })
    expect(german.reply.notices[0]?.message).toMatch(/^Der Server ist auf der öffentlichen Liste ausgeblendet\./)
    expect([german.headers['content-language'], german.headers.vary]).toEqual(['de', 'Accept-Language'])
    await expectListed(public_id, false)
    expect(await codesOf(public_id)).toEqual(['HIDDEN'])
    await owner.call(servers.change, { params: { id: public_id }, body: { visible: true } })
    await expectListed(public_id)
    expect(await codesOf(public_id)).toEqual(['LISTED'])
  })

  test('when it is deleted', async () => {
    const { public_id } = await onlineServer()
    await expectListed(public_id)
    await owner.call(servers.remove, { params: { id: public_id } })
    await expectListed(public_id, false)
    expect((await send(`${app.listUrl}/servers/${public_id}`)).status).toBe(404)
  })
})

describe('a reissued credential', () => {
  test('without a grace period takes the server offline until it announces with the new one', async () => {
    const { credential, public_id } = await onlineServer()
    await expectListed(public_id)
    const { data } = await owner.call(servers.reissue, { params: { id: public_id }, body: {} })
    expect(data.status).toBe('offline')
    expect(data.listing.reasons.map((reason) => reason.code)).toEqual(['CREDENTIAL_REISSUED'])
    expect((await announceFrom(app, credential)).status).toBe(401)
    await expectListed(public_id, false)
    expect(await codesOf(public_id)).toEqual(['CREDENTIAL_REISSUED', 'CREDENTIAL_REVOKED'])
    expect((await announceFrom(app, data.credential)).status).toBe(200)
    await expectListed(public_id)
    expect(await codesOf(public_id)).toEqual(['LISTED'])
  })

  test('with a grace period leaves the old one valid, with a notice, until the period ends', async () => {
    const { credential, public_id } = await onlineServer()
    const { data } = await owner.call(servers.reissue, { params: { id: public_id }, body: { grace_seconds: 3600 } })
    const old = await announceFrom(app, credential, { playersCount: 20 })
    expect([old.status, old.reply.notices[0]?.code]).toEqual([200, 'OLD_CREDENTIAL'])
    expect((await readOne(app, public_id)).playersCount).toBe(20)
    const current = await announceFrom(app, data.credential, { playersCount: 30 })
    expect([current.status, current.reply.notices]).toEqual([200, []])
    expect((await announceFrom(app, credential, { playersCount: 1 })).status).toBe(200)
    expect((await readOne(app, public_id)).playersCount, 'the new credential determines the state').toBe(30)
    const server = await serverOf(public_id)
    expect(server.previous_credential_last_used_at).not.toBeNull()
    app.clock.advance(3600_000)
    const expired = await announceFrom(app, credential)
    expect([expired.status, expired.rejection.code]).toEqual([401, 'CREDENTIAL_REVOKED'])
    expect((await announceFrom(app, data.credential)).status).toBe(200)
  })
})

describe('the reasons', () => {
  test('say that a server has never announced', async () => {
    const { public_id } = await buildServer(owner)
    expect(await codesOf(public_id)).toEqual(['NEVER_ANNOUNCED'])
    expect((await serverOf(public_id)).status).toBe('never_seen')
  })

  test('include a rejected announce until one is accepted', async () => {
    const { credential, public_id } = await onlineServer()
    await announceFrom(app, credential, {}, { from: '127.0.0.2' })
    expect(await codesOf(public_id)).toEqual(['LISTED', 'ADDRESS_MISMATCH'])
    app.clock.advance(76_000)
    await expect.poll(async () => (await serverOf(public_id)).status).toBe('offline')
    expect(await codesOf(public_id)).toEqual(['ADDRESS_MISMATCH', 'OFFLINE'])
    await announceFrom(app, credential)
    expect(await codesOf(public_id)).toEqual(['LISTED'])
  })

  test('come with the last 50 attempts, newest first, accepted and rejected', async () => {
    const { credential, public_id } = await onlineServer()
    for (let count = 0; count < 60; count += 1) {
      await announceFrom(app, credential, count % 10 === 9 ? { port: 0 } : {})
      app.clock.advance(6000)
    }
    const { data } = await owner.call(servers.announces, { params: { id: public_id } })
    expect(data).toHaveLength(50)
    expect(data.map((attempt) => attempt.at)).toEqual(
      data
        .map((attempt) => attempt.at)
        .toSorted()
        .toReversed(),
    )
    expect(data[0]).toMatchObject({ outcome: 'refused', code: 'BODY_INVALID', address: '127.0.0.1' })
    expect(data[0]?.remedy).not.toBe('')
    expect(data[1]).toMatchObject({ outcome: 'accepted', code: 'ACCEPTED', remedy: '' })
    expect(data.filter((attempt) => attempt.outcome === 'refused')).toHaveLength(5)
  })

  test('come with the newest 50 of many rejections, even after a restart', async () => {
    const { credential, public_id } = await onlineServer()
    for (let count = 0; count < 100; count += 1) await announceFrom(app, credential, {}, { from: '127.0.0.2' })
    const { data } = await owner.call(servers.announces, { params: { id: public_id } })
    expect(data).toHaveLength(50)
    expect(data.every((attempt) => attempt.code === 'ADDRESS_MISMATCH')).toBe(true)
    await app.restart()
    expect((await owner.call(servers.announces, { params: { id: public_id } })).data).toEqual(data)
    expect(await app.db.selectFrom('announce_attempts').select('id').where('server_id', '=', public_id).execute()).toHaveLength(50)
  })
})

describe('a restart', () => {
  test('restores the list byte for byte, and gives every server a full TTL', async () => {
    const { credential, public_id } = await onlineServer({ description: 'Still here' })
    const left = await onlineServer()
    await leave(left.credential)
    await expectListed(public_id)
    await expectListed(left.public_id, false)
    const before = await send(`${app.listUrl}/servers`)
    app.clock.advance(60_000)
    await app.restart()
    const after = await send(`${app.listUrl}/servers`)
    expect(after.text).toBe(before.text)
    expect(after.headers.etag).toBe(before.headers.etag)
    expect(await codesOf(left.public_id)).toEqual(['LEFT'])
    app.clock.advance(60_000)
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(await isListed(public_id)).toBe(true)
    app.clock.advance(16_000)
    await expectListed(public_id, false)
    expect((await announceFrom(app, credential)).status).toBe(200)
  })

  test('keeps the times of the last announce and of the last credential use, even of unchanged announces', async () => {
    const { credential, public_id } = await onlineServer()
    app.clock.advance(30_000)
    await announceFrom(app, credential)
    const before = await serverOf(public_id)
    await app.restart()
    const after = await serverOf(public_id)
    expect(after.live?.last_announce_at).toBe(before.live?.last_announce_at)
    expect(after.credential_last_used_at).toBe(before.credential_last_used_at)
  })
})
