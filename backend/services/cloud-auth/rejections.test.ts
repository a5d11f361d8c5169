/** Tickets and requests that cloud auth rejects. */
import { createHmac } from 'node:crypto'
import { SignJWT, decodeJwt, decodeProtectedHeader, exportSPKI, generateKeyPair, importJWK } from 'jose'
import { beforeAll, describe, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { announce, buildServer, offer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { cloudAuthOwner, requestTicket, requestVerification, signingKeys, ticketFor, verifyTicket } from '#tests/player-client.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ LOG_LEVEL: 'trace' })
})

const serverOf = async (user?: SignedInUser) => buildServer(user ?? (await cloudAuthOwner(app)))
const failed = { result: 'VERIFY_FAILED', id: '' }

describe('a ticket is rejected', () => {
  test('at another server, even of the same owner', async () => {
    const user = await cloudAuthOwner(app)
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
    const [from, to] = [await cloudAuthOwner(app), await cloudAuthOwner(app)]
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
    const { keys } = await signingKeys(app)
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
    const user = await cloudAuthOwner(app)
    const reissued = await serverOf(user)
    await user.call(servers.reissue, { params: { id: reissued.public_id }, body: {} })
    expect(await replyTo(reissued.credential)).toEqual([401, 'CREDENTIAL_REVOKED'])
    expect(await replyTo(credential)).toEqual([200, undefined])
  })

  test('verify rejects a credential bound to another address, and does not bind one itself', async () => {
    const { credential, public_id: id } = await serverOf()
    const { ticket } = await ticketFor(app, id, 'bound')
    expect((await verifyTicket(app, credential, ticket)).result).toBe('OK')
    const uses = () => app.db.selectFrom('credential_addresses').select('address').where('address', '=', '127.9.9.9').execute()
    await announce(app, credential)
    await app.db
      .updateTable('credential_addresses')
      .set({ address: '127.9.9.9' })
      .where('credential_id', 'in', (q) => q.selectFrom('credentials').select('id').where('server_id', '=', id))
      .execute()
    expect(await uses()).toHaveLength(1)
    await app.restart()
    const response = await requestVerification(app, credential, { ticket })
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([409, 'ADDRESS_MISMATCH'])
  })
})
