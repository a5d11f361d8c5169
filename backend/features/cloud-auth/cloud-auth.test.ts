/** Cloud auth: tickets, player IDs, player tokens, keys, and access. */
import { createHmac } from 'node:crypto'
import { SignJWT, createRemoteJWKSet, decodeJwt, decodeProtectedHeader, exportSPKI, generateKeyPair, importJWK, jwtVerify } from 'jose'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { TicketReply } from '#contract/cloud-auth.ts'
import * as servers from '#contract/servers.ts'
import * as transfers from '#contract/transfers.ts'
import { banUser, forceTier } from '#contract/users-admin.ts'
import { snowflakeOf } from '#backend/features/auth/local-provider.ts'
import { announce, buildServer, offer, setTier } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { requestTicket, requestVerification, playerCode, ticketFor, verifyTicket } from '#tests/player-client.ts'
import { rotateKeys } from './key-ring.ts'

let app: TestApp
let admin: SignedInUser
beforeAll(async () => {
  app = await startApp({ LOG_LEVEL: 'trace' })
  admin = await app.signIn('admin')
})

/** A user with the cloud auth benefit. */
async function createOwner(): Promise<SignedInUser> {
  const user = await app.newUser()
  await setTier(app, user.id, 'SILVER')
  return user
}

const serverOf = async (user?: SignedInUser) => buildServer(user ?? (await createOwner()))
const keysOf = async (from: { listUrl: string } = app) => {
  const response = await fetch(`${from.listUrl}/cloud-auth/jwks.json`)
  return { response, keys: ((await response.json()) as { keys: Record<string, string>[] }).keys }
}
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
    const [a, b] = [await createOwner(), await createOwner()]
    const [one, two, other] = [await serverOf(a), await serverOf(a), await serverOf(b)]
    const idOn = async (server: typeof one) =>
      (await verifyTicket(app, server.credential, (await ticketFor(app, server.public_id, 'wanderer')).ticket)).id
    const ids = [await idOn(one), await idOn(two), await idOn(other)]
    expect(ids[0]).toBe(ids[1])
    expect(ids[2]).not.toBe(ids[0])
    expect(ids[2]).toMatch(/^[\w-]{22}$/)
  })

  test('tickets of different servers do not reveal a common owner', async () => {
    const user = await createOwner()
    const tickets = [
      await ticketFor(app, (await serverOf(user)).public_id, 'p.x'),
      await ticketFor(app, (await serverOf(user)).public_id, 'p.y'),
    ]
    const [one, two] = tickets.map(({ ticket }) => decodeJwt(ticket))
    expect(one?.own).not.toBe(two?.own)
    expect(JSON.stringify(one)).not.toContain(user.id)
  })

  test('a ticket can be requested by vanity ID', async () => {
    const user = await createOwner()
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
    const { keys: before } = await keysOf()
    await sql`update cloud_auth_keys set created_at = created_at - interval '30 days 1 minute'`.execute(app.db)
    await app.restart()
    const { keys: published } = await keysOf()
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

describe('a ticket is rejected', () => {
  test('at another server, even of the same owner', async () => {
    const user = await createOwner()
    const [one, two, other] = [await serverOf(user), await serverOf(user), await serverOf()]
    const { ticket } = await ticketFor(app, one.public_id, 'replayed')
    expect(await verifyTicket(app, two.credential, ticket)).toEqual(failed)
    expect(await verifyTicket(app, other.credential, ticket)).toEqual(failed)
    expect((await verifyTicket(app, one.credential, ticket)).result).toBe('OK')
  })

  test('after five minutes', async () => {
    const { public_id: id, credential } = await serverOf()
    const { ticket } = await ticketFor(app, id, 'late')
    app.clock.advance(298_000)
    expect((await verifyTicket(app, credential, ticket)).result).toBe('OK')
    app.clock.advance(3000)
    expect(await verifyTicket(app, credential, ticket)).toEqual(failed)
  })

  test('after a transfer: the new owner sees another player id', async () => {
    const [from, to] = [await createOwner(), await createOwner()]
    const { public_id: id, credential } = await serverOf(from)
    const { ticket } = await ticketFor(app, id, 'stayer')
    const before = await verifyTicket(app, credential, ticket)
    const { id: offerId } = await offer(from, id, to.id)
    expect((await to.call(transfers.accept, { params: { id: offerId } })).status).toBe(204)
    expect((await requestVerification(app, credential, { ticket })).status).toBe(401)
    const { data } = await to.call(servers.reissue, { params: { id }, body: {} })
    expect(await verifyTicket(app, data.credential, ticket)).toEqual(failed)
    const after = await verifyTicket(app, data.credential, (await ticketFor(app, id, 'stayer')).ticket)
    expect(after.result).toBe('OK')
    expect(after.id).not.toBe(before.id)
  })

  test('if any part was changed or forged', async () => {
    const { public_id: id, credential } = await serverOf()
    const { ticket } = await ticketFor(app, id, 'tampered')
    const [head = '', body = '', signature = ''] = ticket.split('.')
    const { keys } = await keysOf()
    const kid = String(decodeProtectedHeader(ticket).kid)
    const claims = decodeJwt(ticket)
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const ours = { alg: 'ES256', kid, typ: 'muster-ticket+jwt' }
    const { privateKey: foreign } = await generateKeyPair('ES256')
    const publicKey = await importJWK({ ...keys.find((key) => key.kid === kid), kty: 'EC' }, 'ES256')
    const spki = await exportSPKI(publicKey as CryptoKey)
    const hmac = (secret: string) => {
      const text = `${encode({ ...ours, alg: 'HS256' })}.${body}`
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
    }
    const signedBy = (header: Record<string, string>) => new SignJWT(claims).setProtectedHeader({ alg: 'ES256', ...header }).sign(foreign)
    const forged = {
      'another player': `${head}.${encode({ ...claims, sub: 'A'.repeat(22) })}.${signature}`,
      'a later end': `${head}.${encode({ ...claims, exp: (claims.exp ?? 0) + 9999 })}.${signature}`,
      'another signature': `${head}.${body}.${Buffer.alloc(64).toString('base64url')}`,
      'no signature': `${head}.${body}.`,
      'no algorithm': `${encode({ ...ours, alg: 'none' })}.${body}.`,
      'the public key as a secret, as JSON': hmac(JSON.stringify(keys.find((key) => key.kid === kid))),
      'the public key as a secret, as text': hmac(spki),
      'another key under our id': await signedBy(ours),
      'another key under its own id': await signedBy({ ...ours, kid: 'another' }),
      'no key id': await signedBy({ typ: 'muster-ticket+jwt' }),
      'a key of its own inside': `${encode({ ...ours, jwk: keys[0] })}.${body}.${signature}`,
      'a key id that is no text': `${encode({ ...ours, kid: { a: 1 } })}.${body}.${signature}`,
      nothing: '.',
      'three empty parts': '..',
      'no JSON': 'a.b.c',
      'a text': 'hello',
      'other letters': '☃.☃.☃',
    }
    for (const [what, text] of Object.entries(forged)) {
      const response = await requestVerification(app, credential, { ticket: text })
      expect([response.status, await response.json()], what).toEqual([200, failed])
    }
    expect((await verifyTicket(app, credential, ticket)).result).toBe('OK')
  })

  test('of another type, even if signed with our own key', async () => {
    const { public_id: id, credential } = await serverOf()
    const { ticket } = await ticketFor(app, id, 'kinds')
    const row = await app.db.selectFrom('cloud_auth_keys').selectAll().orderBy('created_at').executeTakeFirstOrThrow()
    const key = (await importJWK({ ...row.private_jwk, kty: 'EC' }, 'ES256')) as CryptoKey
    const sign = (claims: object, header: object = {}) =>
      new SignJWT({ ...decodeJwt(ticket), ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: row.kid, typ: 'muster-ticket+jwt', ...header })
        .sign(key)
    expect((await verifyTicket(app, credential, await sign({}))).result).toBe('OK')
    for (const claims of [{ sub: undefined }, { own: undefined }, { own: 'x' }, { exp: undefined }, { aud: undefined }, { jti: undefined }])
      expect(await verifyTicket(app, credential, await sign(claims)), JSON.stringify(claims)).toEqual(failed)
    expect(await verifyTicket(app, credential, await sign({}, { typ: 'JWT' }))).toEqual(failed)
    expect(await verifyTicket(app, credential, await sign({}, { typ: undefined }))).toEqual(failed)
  })
})

describe('the benefit', () => {
  test('applies to both calls, immediately when it ends and when it is restored', async () => {
    const user = await createOwner()
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
    const user = await createOwner()
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

describe('requests', () => {
  const whole = { server: 'x', code: 'x', codeVerifier: 'x' }
  test.each([
    ['The body must be a JSON object.', undefined],
    ['The body must be a JSON object.', null],
    ['The body must be a JSON object.', []],
    ['server is required.', { code: 'x', codeVerifier: 'x' }],
    ['server must be text.', { ...whole, server: 7 }],
    ['server is required.', { ...whole, server: '' }],
    ['server can be at most 64 characters long.', { ...whole, server: 'x'.repeat(65) }],
    ['code can be at most 512 characters long.', { ...whole, code: 'x'.repeat(513) }],
    ['Send either code and codeVerifier, or playerToken.', { server: 'x' }],
    ['Send either code and codeVerifier, or playerToken.', { server: 'x', code: 'x' }],
    ['Send either code and codeVerifier, or playerToken.', { ...whole, playerToken: 'x' }],
  ])('a ticket: “%s”', async (sentence, body) => {
    const response = await requestTicket(app, body)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({
      statusCode: 400,
      errors: [sentence],
      isBusiness: false,
      code: 'CALL_INVALID',
      remedy: expect.any(String),
    })
  })

  test('rejects invalid JSON, other types, large bodies and other methods in the list’s format', async () => {
    const { credential } = await serverOf()
    const replyTo = async (path: string, init: RequestInit) => {
      const response = await fetch(`${app.listUrl}/cloud-auth${path}`, init)
      return [response.status, ((await response.json()) as { code: string }).code]
    }
    const json = { 'content-type': 'application/json', authorization: `Bearer ${credential}` }
    for (const path of ['/ticket', '/verify']) {
      expect(await replyTo(path, { method: 'POST', headers: json, body: '{' })).toEqual([400, 'CALL_INVALID'])
      expect(await replyTo(path, { method: 'POST', headers: json, body: `"${'x'.repeat(9000)}"` })).toEqual([413, 'BODY_TOO_LARGE'])
      expect(await replyTo(path, { method: 'POST', headers: { ...json, 'content-type': 'text/plain' }, body: '{}' })).toEqual([
        415,
        'BODY_WRONG_TYPE',
      ])
      expect(await replyTo(path, { method: 'GET' })).toEqual([405, 'METHOD_NOT_ALLOWED'])
    }
    expect(await replyTo('/nothing', {})).toEqual([404, 'NOT_FOUND'])
    expect(await replyTo('/jwks.json', { method: 'POST' })).toEqual([405, 'METHOD_NOT_ALLOWED'])
    for (const body of [{}, { ticket: 7 }, { ticket: '' }, { ticket: 'x'.repeat(4097) }, []])
      expect((await requestVerification(app, credential, body)).status).toBe(400)
  })

  test('verify checks the credential as an announce does, before the body', async () => {
    const { credential } = await serverOf()
    const replyTo = async (text: string | undefined, body: unknown = { ticket: 'x' }) => {
      const response = await requestVerification(app, text, body)
      return [response.status, ((await response.json()) as { code?: string }).code]
    }
    expect(await replyTo(undefined, 'nonsense')).toEqual([401, 'CREDENTIAL_MISSING'])
    expect(await replyTo('mst_abc')).toEqual([401, 'CREDENTIAL_MALFORMED'])
    const user = await createOwner()
    const reissued = await serverOf(user)
    await user.call(servers.reissue, { params: { id: reissued.public_id }, body: {} })
    expect(await replyTo(reissued.credential)).toEqual([401, 'CREDENTIAL_REVOKED'])
    expect(await replyTo(credential)).toEqual([200, undefined])
  })

  test('verify rejects a credential bound to another address, and does not bind one itself', async () => {
    const { credential, public_id: id } = await serverOf()
    const { ticket } = await ticketFor(app, id, 'bound')
    expect((await verifyTicket(app, credential, ticket)).result).toBe('OK')
    const uses = () => app.db.selectFrom('credential_uses').select('bound_address').where('bound_address', '=', '127.9.9.9').execute()
    await announce(app, credential)
    await app.db
      .updateTable('credential_uses')
      .set({ bound_address: '127.9.9.9' })
      .where('credential_id', 'in', (q) => q.selectFrom('credentials').select('id').where('server_id', '=', id))
      .execute()
    expect(await uses()).toHaveLength(1)
    await app.restart()
    const response = await requestVerification(app, credential, { ticket })
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([409, 'ADDRESS_MISMATCH'])
  })
})

describe('the keys', () => {
  test('are public keys only, cacheable for ten minutes', async () => {
    await ticketFor(app, (await serverOf()).public_id, 'anybody')
    const { response, keys } = await keysOf()
    expect(response.headers.get('cache-control')).toBe('public, max-age=600')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(keys.length).toBeGreaterThan(0)
    for (const key of keys) expect(Object.keys(key).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    const etag = response.headers.get('etag') ?? ''
    const again = async (tag: string) => (await fetch(`${app.listUrl}/cloud-auth/jwks.json`, { headers: { 'if-none-match': tag } })).status
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) expect(await again(known), known).toBe(304)
    for (const other of ['"other"', 'W/"other"']) expect(await again(other), other).toBe(200)
  })

  test('let anyone verify a ticket with a common library and no credential', async () => {
    const { public_id: id, credential } = await serverOf()
    const { ticket } = await ticketFor(app, id, 'offline')
    const set = createRemoteJWKSet(new URL(`${app.listUrl}/cloud-auth/jwks.json`))
    const { payload } = await jwtVerify(ticket, set, {
      issuer: app.listUrl,
      audience: id,
      currentDate: new Date(app.clock.now()),
    })
    expect(payload.sub).toBe((await verifyTicket(app, credential, ticket)).id)
  })

  test('are created once by concurrent nodes, replaced after thirty days, and deleted a day later', async () => {
    const other = await startApp()
    const ages = async () => {
      const rows = await sql<{
        age: number
      }>`select round(extract(epoch from now() - created_at) / 3600) as age from cloud_auth_keys order by 1`.execute(other.db)
      return rows.rows.map(({ age }) => Number(age))
    }
    const backdate = (hours: number) =>
      sql`update cloud_auth_keys set created_at = created_at - make_interval(hours => ${hours})`.execute(other.db)
    await Promise.all(Array.from({ length: 4 }, () => rotateKeys(other)))
    expect(await ages()).toEqual([0])
    await backdate(719)
    await rotateKeys(other)
    expect(await ages()).toEqual([719])
    await backdate(1)
    await Promise.all([rotateKeys(other), rotateKeys(other)])
    expect(await ages()).toEqual([0, 720])
    await backdate(24)
    await rotateKeys(other)
    expect(await ages()).toEqual([24, 744])
    await backdate(2)
    await rotateKeys(other)
    expect(await ages()).toEqual([26])
    await other.close()
  })

  test('and the secret are the same on all nodes; a node reads unknown keys', async () => {
    const shared = await startApp({}, { isShared: true })
    const user = await shared.signIn('someone')
    await setTier(shared, user.id, 'SILVER')
    const { public_id: id, credential } = await buildServer(user)
    const known = await verifyTicket(shared, credential, (await ticketFor(shared, id, 'p.nodes')).ticket)
    expect(known.result).toBe('OK')
    await sql`update cloud_auth_keys set created_at = now() - interval '31 days'`.execute(shared.db)
    await rotateKeys(shared)
    await sql`update cloud_auth_keys set created_at = now() - interval '2 hours' where created_at > now() - interval '1 hour'`.execute(
      shared.db,
    )
    const node = await shared.addNode()
    const { ticket } = await ticketFor(node, id, 'p.nodes')
    expect(await verifyTicket(node, credential, ticket)).toEqual(known)
    shared.clock.advance(6000)
    expect(await verifyTicket(shared, credential, ticket)).toEqual(known)
    await shared.close()
  })
})

test('tickets are issued and verified from memory while the database does not respond', async () => {
  const { public_id: server, credential } = await serverOf()
  const { playerToken, ticket } = await ticketFor(app, server, 'silent')
  await app.db.transaction().execute(async (trx) => {
    await sql`lock table cloud_auth_keys, cloud_auth_secret in access exclusive mode`.execute(trx)
    expect((await verifyTicket(app, credential, ticket)).result).toBe('OK')
    app.clock.advance(290_000)
    expect((await verifyTicket(app, credential, ticket)).result).toBe('OK')
    app.clock.advance(20_000)
    const again = (await (await requestTicket(app, { server, playerToken })).json()) as TicketReply
    expect((await verifyTicket(app, credential, again.ticket)).result).toBe('OK')
    expect((await keysOf()).keys).not.toEqual([])
  })
})

test('permits cross-origin requests for tickets and keys, for web-based launchers', async () => {
  const response = await fetch(`${app.listUrl}/cloud-auth/ticket`, {
    method: 'OPTIONS',
    headers: { origin: 'https://launcher.example', 'access-control-request-method': 'POST' },
  })
  expect(response.status).toBe(204)
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(response.headers.get('access-control-allow-methods')).toContain('POST')
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
