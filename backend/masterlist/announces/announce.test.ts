/** Accepted announces, and their limits. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { AnnounceReply } from '#contract/masterlist/masterlist.ts'
import { newCredential } from '#backend/core/servers/credential.ts'
import { buildServer, portOf } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readOne, send } from '#tests/list/send.ts'

let app: TestApp
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp()
  owner = await fleetOwner(app)
})

const attemptsOf = async (id: string) => (await owner.call(servers.announces, { params: { id } })).data
const serverOf = async (id: string) => (await owner.call(servers.get, { params: { id } })).data

describe('an announce', () => {
  test('brings the server online, and the reply has the documented shape', async () => {
    const { credential, public_id } = await buildServer(owner)
    const { status, reply } = await announceFrom(app, credential)
    expect(status).toBe(200)
    expect(AnnounceReply.parse(reply)).toEqual({
      publicId: public_id,
      listed: true,
      nextAnnounceSeconds: reply.nextAnnounceSeconds,
      features: { cloudAuth: true },
      notices: [],
    })
    expect(reply.nextAnnounceSeconds).toBeGreaterThanOrEqual(24)
    expect(reply.nextAnnounceSeconds).toBeLessThanOrEqual(36)
    const server = await serverOf(public_id)
    expect(server.status).toBe('online')
    expect(server.live).toMatchObject({
      address: `127.0.0.1:${portOf(credential)}`,
      players: 12,
      max_players: 128,
      version: '15.57',
      branch: 'release',
    })
    expect(server.bound_address).toBe('127.0.0.1')
    expect(server.credential_last_used_at).not.toBeNull()
  })

  test('may have unknown fields, so that newer servers work with older lists', async () => {
    const { credential } = await buildServer(owner)
    expect((await announceFrom(app, credential, { colour: 'blue', host: 'play.example.com' })).status).toBe(200)
  })

  test('may lack a content type, but not have a wrong one', async () => {
    const { credential, public_id } = await buildServer(owner)
    const body = JSON.stringify({ port: 1, playersCount: 0, maxPlayersCount: 1, passworded: false, version: '1', branch: 'rc' })
    const untyped = await send(`${app.listUrl}/announce`, { method: 'POST', body, headers: { authorization: `Bearer ${credential}` } })
    expect(untyped.status, untyped.text).toBe(200)
    const mistyped = await announceFrom(app, credential, {}, { headers: { 'content-type': 'text/plain' } })
    expect(mistyped.status).toBe(415)
    expect((await attemptsOf(public_id))[0]).toMatchObject({ outcome: 'refused', code: 'BODY_WRONG_TYPE' })
  })

  test('may begin with a byte order mark', async () => {
    const { credential, public_id } = await buildServer(owner)
    const body = `\uFEFF${JSON.stringify({ port: 1, playersCount: 0, maxPlayersCount: 1, passworded: false, version: 'marked', branch: 'rc' })}`
    const { status, text } = await send(`${app.listUrl}/announce`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
    })
    expect(status, text).toBe(200)
    expect(await readOne(app, public_id)).toMatchObject({ version: 'marked' })
  })

  test('is listed without spaces around its texts', async () => {
    const { credential, public_id } = await buildServer(owner)
    expect((await announceFrom(app, credential, { version: ' 1.0 ', gameMode: '  ' })).status).toBe(200)
    expect(await readOne(app, public_id)).toMatchObject({ version: '1.0', gameMode: '' })
  })

  test('with more players than slots is clamped and gets a notice', async () => {
    const { credential, public_id } = await buildServer(owner)
    const { status, reply } = await announceFrom(app, credential, { playersCount: 300, maxPlayersCount: 64 })
    expect(status).toBe(200)
    expect(reply.notices.map((notice) => notice.code)).toEqual(['PLAYERS_ABOVE_SLOTS'])
    expect(await readOne(app, public_id)).toMatchObject({ playersCount: 64, maxPlayersCount: 64 })
  })

  test('with a CDN is listed with the CDN address instead of the socket address', async () => {
    const { credential, public_id } = await buildServer(owner)
    await announceFrom(app, credential, { useCdn: true, cdnUrl: 'https://cdn.example.com/server' })
    expect(await readOne(app, public_id)).toMatchObject({ useCdn: true, address: 'https://cdn.example.com/server' })
    const { reply } = await announceFrom(app, credential, { useCdn: true, cdnUrl: '' })
    expect(reply.notices.map((notice) => notice.code)).toEqual(['CDN_URL_MISSING'])
    expect(await readOne(app, public_id)).toMatchObject({ useCdn: false, address: `127.0.0.1:${portOf(credential)}` })
  })
})

test('too many announces of one credential are rejected with Retry-After, and other credentials are not', async () => {
  const limited = await startApp({ RATE_LIMITS: 'on' })
  const user = await limited.signIn('owner')
  const [busy, calm] = [await buildServer(user), await buildServer(user)]
  const statuses: number[] = []
  for (let count = 0; count < 12; count += 1) statuses.push((await announceFrom(limited, busy.credential)).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
  const rejected = await announceFrom(limited, busy.credential)
  expect([rejected.status, rejected.rejection.code]).toEqual([429, 'TOO_OFTEN'])
  expect(Number(rejected.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  expect((await announceFrom(limited, calm.credential)).status).toBe(200)
  limited.clock.advance(2000)
  expect((await announceFrom(limited, busy.credential)).status).toBe(200)
  await limited.close()
})

test('invalid credentials from one address are limited before they reach the database', async () => {
  const limited = await startApp({ RATE_LIMITS: 'on' })
  const statuses = new Set<number>()
  for (let count = 0; count < 130; count += 1) statuses.add((await announceFrom(limited, newCredential('AbCdEfG').reveal())).status)
  expect([...statuses].toSorted((a, b) => a - b)).toEqual([401, 429])
  await limited.close()
})
