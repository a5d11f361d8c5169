/** Cloud auth: tickets, player IDs, player tokens, codes, and the benefit. */
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { TicketReply } from '#contract/masterlist/cloud-auth.ts'
import * as servers from '#contract/servers/servers.ts'
import { banUser, forceTier } from '#contract/users/users-admin.ts'
import { snowflakeOf } from '#backend/core/auth/local-provider.ts'
import { announce, buildServer, setTier } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import {
  cloudAuthOwner,
  playerCode,
  requestTicket,
  requestVerification,
  signingKeys,
  ticketFor,
  verifyTicket,
} from '#tests/player-client.ts'

let app: TestApp
let admin: SignedInUser
beforeAll(async () => {
  app = await startApp({ LOG_LEVEL: 'trace' })
  admin = await app.signIn('admin')
})

const serverOf = async (user?: SignedInUser) => buildServer(user ?? (await cloudAuthOwner(app)))
const failed = { result: 'VERIFY_FAILED', id: '' }
const noTicket = { ticket: '', expiresAt: '', playerToken: '' }
const setForcedTier = (user: SignedInUser, tier: 'SILVER' | 'BRONZE' | null) =>
  admin.call(forceTier, { params: { id: user.id }, body: { tier_id: tier } })

describe('a player id', () => {
  test('is stable, and all that a server learns about the player', async () => {
    const { public_id: id, credential } = await serverOf()
    const first = await ticketFor(app, id, 'player.one')
    expect(first).toMatchObject({ result: 'OK', ticket: expect.any(String), playerToken: expect.any(String) })
    expect(new Date(first.expiresAt).getTime() - app.clock.now()).toBeGreaterThan(290_000)
    const known = await verifyTicket(app, credential, first.ticket)
    expect(known).toEqual({ result: 'OK', id: expect.stringMatching(/^[\w-]{22}$/) })
    expect(await verifyTicket(app, credential, (await ticketFor(app, id, 'player.one')).ticket)).toEqual(known)
    expect((await verifyTicket(app, credential, (await ticketFor(app, id, 'player.two')).ticket)).id).not.toBe(known.id)
    for (const text of [first.ticket, first.playerToken, JSON.stringify(decodeJwt(first.ticket))]) {
      const plain = text + text.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'))
      expect(plain).not.toContain(snowflakeOf('player.one'))
      expect(plain).not.toContain('player.one')
    }
  })

  test('is the same on all servers of one owner and different for another owner', async () => {
    const [a, b] = [await cloudAuthOwner(app), await cloudAuthOwner(app)]
    const [one, two, other] = [await serverOf(a), await serverOf(a), await serverOf(b)]
    const idOn = async (server: typeof one) =>
      (await verifyTicket(app, server.credential, (await ticketFor(app, server.public_id, 'wanderer')).ticket)).id
    const ids = [await idOn(one), await idOn(two), await idOn(other)]
    expect(ids[0]).toBe(ids[1])
    expect(ids[2]).not.toBe(ids[0])
    expect(ids[2]).toMatch(/^[\w-]{22}$/)
  })

  test('tickets of different servers do not reveal a common owner', async () => {
    const user = await cloudAuthOwner(app)
    const tickets = [
      await ticketFor(app, (await serverOf(user)).public_id, 'p.x'),
      await ticketFor(app, (await serverOf(user)).public_id, 'p.y'),
    ]
    const [one, two] = tickets.map(({ ticket }) => decodeJwt(ticket))
    expect(one?.own).not.toBe(two?.own)
    expect(JSON.stringify(one)).not.toContain(user.id)
  })

  test('a ticket can be requested by vanity ID', async () => {
    const user = await cloudAuthOwner(app)
    await setTier(app, user.id, 'GOLD')
    const server = await serverOf(user)
    await app.db.updateTable('servers').set({ vanity_url: 'my-town' }).where('public_id', '=', server.public_id).execute()
    await user.call(servers.change, { params: { id: server.public_id }, body: { description: 'Changed' } })
    const { ticket } = await ticketFor(app, 'my-town', 'p.vanity')
    expect(decodeJwt(ticket).aud).toBe(server.public_id)
    expect((await verifyTicket(app, server.credential, ticket)).result).toBe('OK')
  })

  test('survives a restart and a key rotation, as do tickets', async () => {
    const { public_id: id, credential } = await serverOf()
    const { ticket, playerToken } = await ticketFor(app, id, 'stable')
    const known = await verifyTicket(app, credential, ticket)
    const { keys: before } = await signingKeys(app)
    await sql`update cloud_auth_keys set created_at = created_at - interval '30 days 1 minute'`.execute(app.db)
    await app.restart()
    const { keys: published } = await signingKeys(app)
    expect(published).toHaveLength(before.length + 1)
    const [newest] = published
    const early = (await (await requestTicket(app, { server: id, playerToken })).json()) as TicketReply
    expect(decodeProtectedHeader(early.ticket).kid, 'a new key is published before it signs').toBe(before[0]?.kid)
    await sql`update cloud_auth_keys set created_at = now() - interval '61 minutes' where kid = ${newest?.kid}`.execute(app.db)
    await app.restart()
    const late = (await (await requestTicket(app, { server: id, playerToken })).json()) as TicketReply
    expect(decodeProtectedHeader(late.ticket).kid).toBe(newest?.kid)
    for (const each of [ticket, early.ticket, late.ticket]) expect(await verifyTicket(app, credential, each)).toEqual(known)
  })
})

describe('a player token', () => {
  test('gives tickets for any server for twelve hours', async () => {
    const [one, other] = [await serverOf(), await serverOf()]
    const { playerToken } = await ticketFor(app, one.public_id, 'returner')
    const again = (await (await requestTicket(app, { server: other.public_id, playerToken })).json()) as TicketReply
    expect(again).toMatchObject({ result: 'OK', playerToken })
    expect((await verifyTicket(app, other.credential, again.ticket)).result).toBe('OK')
    app.clock.advance(12 * 3_600_000 - 60_000)
    expect(await (await requestTicket(app, { server: one.public_id, playerToken })).json()).toMatchObject({ result: 'OK' })
    app.clock.advance(61_000)
    expect(await (await requestTicket(app, { server: one.public_id, playerToken })).json()).toEqual({
      result: 'VERIFY_FAILED',
      ...noTicket,
    })
  })

  test('is rejected if it is changed, invented, or a ticket', async () => {
    const { public_id: server } = await serverOf()
    const { playerToken, ticket } = await ticketFor(app, server, 'forger')
    const changed = `${playerToken.slice(0, -2)}${playerToken.endsWith('AA') ? 'BB' : 'AA'}`
    const plain = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"1","aud":"muster-player"}').toString('base64url')}.`
    for (const text of [changed, plain, ticket, 'x', '....', 'a.b.c.d.e', '☃'])
      expect(await (await requestTicket(app, { server, playerToken: text })).json(), text).toEqual({ result: 'VERIFY_FAILED', ...noTicket })
  })

  test('is not accepted as a ticket', async () => {
    const { public_id: id, credential } = await serverOf()
    expect(await verifyTicket(app, credential, (await ticketFor(app, id, 'mixer')).playerToken)).toEqual(failed)
  })
})

describe('the benefit', () => {
  test('applies to both calls, immediately when it ends and when it is restored', async () => {
    const user = await cloudAuthOwner(app)
    const { public_id: server, credential } = await serverOf(user)
    const { ticket, playerToken } = await ticketFor(app, server, 'lapse')
    expect((await setForcedTier(user, 'BRONZE')).status).toBe(200)
    expect(await verifyTicket(app, credential, ticket)).toEqual({ result: 'NO_BENEFIT', id: '' })
    expect(await (await requestTicket(app, { server, playerToken })).json()).toEqual({ result: 'NO_BENEFIT', ...noTicket })
    expect(await ticketFor(app, server, 'lapse')).toEqual({ result: 'NO_BENEFIT', ...noTicket })
    expect((await setForcedTier(user, null)).status).toBe(200)
    expect((await verifyTicket(app, credential, ticket)).result).toBe('OK')
    expect(await (await requestTicket(app, { server, playerToken })).json()).toMatchObject({ result: 'OK' })
  })

  test('is in the reply to an announce', async () => {
    const { credential } = await serverOf()
    expect(await (await announce(app, credential)).json()).toMatchObject({ features: { cloudAuth: true } })
  })
})

describe('a code', () => {
  test('works once, with its verifier only', async () => {
    const { public_id: server } = await serverOf()
    const code = await playerCode(app, 'coder')
    expect(await (await requestTicket(app, { server, ...code, codeVerifier: 'x'.repeat(43) })).json()).toEqual({
      result: 'VERIFY_FAILED',
      ...noTicket,
    })
    const other = await playerCode(app, 'coder')
    expect(await (await requestTicket(app, { server, ...other })).json()).toMatchObject({ result: 'OK' })
    expect(await (await requestTicket(app, { server, ...other })).json()).toEqual({ result: 'VERIFY_FAILED', ...noTicket })
    expect(await (await requestTicket(app, { server, code: 'made-up', codeVerifier: 'x' })).json()).toEqual({
      result: 'VERIFY_FAILED',
      ...noTicket,
    })
  })

  test('is not used for a server that is unknown or banned, or whose owner is banned', async () => {
    const user = await cloudAuthOwner(app)
    const [server, banned] = [await serverOf(user), await serverOf()]
    await app.db.updateTable('servers').set({ banned: true }).where('public_id', '=', banned.public_id).execute()
    await app.restart()
    const code = await playerCode(app, 'sought')
    for (const id of ['nowhere', banned.public_id, '__proto__']) {
      const response = await requestTicket(app, { server: id, ...code })
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([404, 'NO_SUCH_SERVER'])
    }
    await admin.call(banUser, { params: { id: user.id }, body: { banned: true } })
    expect((await requestTicket(app, { server: server.public_id, ...code })).status).toBe(404)
    expect((await requestVerification(app, server.credential, { ticket: 'x' })).status).toBe(403)
    await admin.call(banUser, { params: { id: user.id }, body: { banned: false } })
    expect(await (await requestTicket(app, { server: server.public_id, ...code })).json()).toMatchObject({ result: 'OK' })
  })
})

test('the log contains no code, verifier, ticket, token or key', async () => {
  const { public_id: server, credential } = await serverOf()
  const code = await playerCode(app, 'quiet')
  const reply = (await (await requestTicket(app, { server, ...code })).json()) as TicketReply
  await verifyTicket(app, credential, reply.ticket)
  const rows = await app.db.selectFrom('cloud_auth_keys').select('private_jwk').execute()
  const logged = app.allLogs()
  const secrets = [
    code.code,
    code.codeVerifier,
    reply.ticket,
    reply.playerToken,
    credential,
    ...rows.map((row) => String(row.private_jwk.d)),
  ]
  for (const secret of secrets) expect(logged).not.toContain(secret)
})
