/** The keys that sign tickets, and tickets while the database does not respond. */
import { createRemoteJWKSet, jwtVerify } from 'jose'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { TicketReply } from '#contract/masterlist/cloud-auth.ts'
import { buildServer, setTier } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { cloudAuthOwner, requestTicket, signingKeys, ticketFor, verifyTicket } from '#tests/player-client.ts'
import { rotateKeys } from './key-ring.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp({ LOG_LEVEL: 'trace' })
})

const serverOf = async (user?: SignedInUser) => buildServer(user ?? (await cloudAuthOwner(app)))

describe('the keys', () => {
  test('are public keys only, cacheable for ten minutes', async () => {
    await ticketFor(app, (await serverOf()).public_id, 'anybody')
    const { response, keys } = await signingKeys(app)
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
    expect((await signingKeys(app)).keys).not.toEqual([])
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
