/** API keys: creating, using, revoking, their scopes and limits. */
import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { exportData } from '#contract/users/account.ts'
import * as activity from '#contract/events/activity.ts'
import * as apiKeys from '#contract/users/api-keys.ts'
import { audit } from '#contract/events/audit.ts'
import * as managers from '#contract/servers/managers.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { hashSecret } from '#backend/platform/secret-text.ts'
import { buildApiKey, buildServer, grant } from '#tests/factories.ts'
import { type ApiResponse, type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { listen } from '#tests/listen.ts'
import { isApiKey, newApiKey } from './api-key.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})

const create = (user: SignedInUser, body: unknown) => user.call(apiKeys.create, { body: body as apiKeys.NewApiKey })
const revoke = (user: SignedInUser, id: string) => user.call(apiKeys.revoke, { params: { id } })
const rejection = ({ status, error }: ApiResponse<unknown>) => ({ status, errors: error.errors })
const valid = { name: 'CI', scopes: ['servers:read'], expires_in_days: 30 } as const

async function expire(id: string): Promise<void> {
  await app.db
    .updateTable('api_keys')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('id', '=', id)
    .execute()
}

describe('a new key', () => {
  test('is shown once, ends in its checksum, and is stored as a hash', async () => {
    const user = await app.newUser()
    const { data, headers } = await create(user, { ...valid, scopes: ['history:read', 'servers:read'] })
    expect(data).toMatchObject({ name: 'CI', scopes: ['servers:read', 'history:read'], last_used_at: null })
    expect(data.key).toMatch(/^msk_[0-9A-Za-z]{8}_[0-9A-Za-z]{36}$/)
    expect(data.key.startsWith(`${data.prefix}_`)).toBe(true)
    const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
    const checksum = Array.from(data.key.slice(-6)).reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0)
    expect(checksum).toBe(crc32(data.key.slice(0, -6)))
    expect(headers.get('cache-control')).toBe('no-store')
    expect((Date.parse(data.expires_at) - Date.parse(data.created_at)) / 86_400_000).toBeCloseTo(30, 5)
    const { key, ...rest } = data
    expect((await user.call(apiKeys.list)).data).toEqual([rest])
    const [row] = await app.db.selectFrom('api_keys').selectAll().where('id', '=', data.id).execute()
    expect(row?.hash.equals(hashSecret(key))).toBe(true)
  })

  test.each([
    [{}, ['Name is required.', 'Scopes must be a list.', 'expires_in_days must be a whole number from 1 to 365.']],
    [{ ...valid, name: ' ' }, ['Name is required.']],
    [{ ...valid, name: 'x'.repeat(65) }, ['Name must be 1 to 64 characters long.']],
    [{ ...valid, name: 'A\u202Ekey' }, ["Name can't contain U+202E: it is an invisible, control or undefined character."]],
    [{ ...valid, scopes: [] }, ['Choose at least one scope.']],
    [{ ...valid, scopes: ['servers:read', 'servers:read'] }, ['Each scope can be given only once.']],
    [{ ...valid, expires_in_days: 0 }, ['expires_in_days must be a whole number from 1 to 365.']],
    [{ ...valid, expires_in_days: 366 }, ['expires_in_days must be a whole number from 1 to 365.']],
    [{ ...valid, expires_in_days: 1.5 }, ['expires_in_days must be a whole number from 1 to 365.']],
    [{ ...valid, admin: true }, ['Unknown field “admin”. Leave it out.']],
  ])('rejects %j and creates nothing', async (body, errors) => {
    const user = await app.newUser()
    expect(rejection(await create(user, body))).toEqual({ status: 400, errors })
    expect((await user.call(apiKeys.list)).data).toEqual([])
  })

  test('rejects an unknown scope and lists the known ones', async () => {
    const rejected = await create(await app.newUser(), { ...valid, scopes: ['admin'] })
    expect(rejected.status).toBe(400)
    expect(rejected.error.errors[0]).toMatch(/^A scope must be one of servers:read, /)
  })

  test('is rejected beyond 20 working keys, also at once; expired and revoked keys do not count', async () => {
    const user = await app.newUser()
    const statuses = (await Promise.all(Array.from({ length: 25 }, () => create(user, valid)))).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([...Array.from({ length: 20 }, () => 200), ...Array.from({ length: 5 }, () => 403)])
    expect(rejection(await create(user, valid))).toEqual({
      status: 403,
      errors: ['You have reached your limit of 20 API keys. Revoke one first.'],
    })
    const [first, second] = (await user.call(apiKeys.list)).data
    await expire(first?.id ?? '')
    expect((await create(user, valid)).status).toBe(200)
    await revoke(user, second?.id ?? '')
    expect((await create(user, valid)).status).toBe(200)
    expect((await create(user, valid)).status).toBe(403)
  })
})

test('a key with one wrong character was never issued', () => {
  const text = newApiKey().key.reveal()
  expect(isApiKey(text)).toBe(true)
  for (let at = 0; at < text.length; at += 1)
    expect(isApiKey(`${text.slice(0, at)}${text[at] === 'a' ? 'b' : 'a'}${text.slice(at + 1)}`)).toBe(false)
})

describe('revoking a key', () => {
  test("is a 404 for an unknown key, a revoked one and another user's", async () => {
    const [user, other] = [await app.newUser(), await app.newUser()]
    const { id, key } = await buildApiKey(user, 'servers:read')
    const missing = { status: 404, errors: ['There is no such API key.'] }
    for (const wrong of [randomUUID(), 'x', '%00']) expect(rejection(await revoke(user, wrong))).toEqual(missing)
    expect(rejection(await revoke(other, id))).toEqual(missing)
    expect((await app.withKey(key).call(servers.list)).status).toBe(200)
    expect((await revoke(user, id)).status).toBe(204)
    expect(rejection(await revoke(user, id))).toEqual(missing)
    expect((await user.call(apiKeys.list)).data).toEqual([])
  })

  test('counts at once on every node, and ends the open streams of the key there', async () => {
    const shared = await startApp({}, { isShared: true })
    const node = await shared.addNode()
    const user = await shared.newUser()
    const { id, key } = await buildApiKey(user, 'servers:read')
    const stream = await listen(shared.withKey(key).at(node))
    expect((await revoke(user, id)).status).toBe(204)
    expect((await shared.withKey(key).at(node).call(servers.list)).status).toBe(401)
    await expect.poll(() => stream.hasEnded()).toBe(true)
  })

  test('updates the open panels of the user', async () => {
    const user = await app.newUser()
    const panel = await listen(user)
    const { id } = await buildApiKey(user, 'servers:read')
    await revoke(user, id)
    const isChange = ({ event, data }: { event: string; data: Record<string, unknown> }) =>
      event === 'account' && (data['changed'] as string[]).includes('api_keys')
    await expect.poll(() => panel.received.filter(isChange).length).toBe(2)
    panel.close()
  })
})

test('ended keys are deleted after 90 days', async () => {
  const user = await app.newUser()
  const [old, recent] = [await buildApiKey(user, 'servers:read'), await buildApiKey(user, 'servers:read')]
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000)
  await app.db
    .updateTable('api_keys')
    .set({ expires_at: daysAgo(91) })
    .where('id', '=', old.id)
    .execute()
  await app.db
    .updateTable('api_keys')
    .set({ expires_at: daysAgo(89) })
    .where('id', '=', recent.id)
    .execute()
  await app.runJob('delete-old-api-keys')
  expect((await user.call(apiKeys.list)).data.map(({ id }) => id)).toEqual([recent.id])
})

describe('the activity', () => {
  test('names the key with which its user acted, and nothing for a session', async () => {
    const user = await app.newUser()
    const { key } = await buildApiKey(user, 'servers:write')
    const { public_id: id } = await buildServer(app.withKey(key))
    await user.call(servers.change, { params: { id }, body: { description: 'By hand' } })
    const entries = (await user.call(activity.ofServer, { params: { id } })).data
    expect(entries.map((entry) => [entry.action, entry.api_key])).toEqual([
      ['SERVER_CHANGED', null],
      ['SERVER_CREATED', 'CI'],
    ])
    const admin = await app.signIn('admin')
    const { data } = (await admin.call(audit, { query: { target_id: id, order: 'asc' } })).data
    expect(data.map((entry) => entry.api_key)).toEqual(['CI', null])
  })

  test('records when a key is created and revoked, without the key', async () => {
    const user = await app.newUser()
    const { id, key, prefix } = await buildApiKey(user, 'servers:read')
    await revoke(user, id)
    const { data, text } = await user.call(activity.ofAccount)
    expect(data.slice(0, 2)).toMatchObject([
      { action: 'API_KEY_REVOKED', as: 'self', before: { name: 'CI', prefix } },
      { action: 'API_KEY_CREATED', as: 'self', after: { name: 'CI', prefix, scopes: ['servers:read'] } },
    ])
    expect(text).not.toContain(key)
  })

  test('shows the name of a key only to its user', async () => {
    const [owner, manager] = [await app.newUser(), await app.newUser()]
    const server = await buildServer(owner)
    await grant(owner, manager.id, ['EDIT_DETAILS'])
    const { key } = await buildApiKey(manager, 'servers:write')
    const params = { ownerId: owner.id, serverId: server.public_id }
    const changed = await app.withKey(key).call(managers.changeManaged, { params, body: { description: 'By a program' } })
    expect(changed.status, changed.text).toBe(200)
    const newest = async (user: SignedInUser) => (await user.call(activity.ofAccount)).data[0]
    expect(await newest(manager)).toMatchObject({ action: 'SERVER_CHANGED', api_key: 'CI' })
    expect(await newest(owner)).toMatchObject({ action: 'SERVER_CHANGED', api_key: null })
    expect((await owner.call(exportData)).data.held['activity']?.every((row) => row['api_key_name'] === null)).toBe(true)
  })
})

test('the export lists the keys without their hashes', async () => {
  const user = await app.newUser()
  const { id } = await buildApiKey(user, 'servers:read')
  const { data } = await user.call(exportData)
  expect(data.held['api_keys']).toMatchObject([{ id, name: 'CI', scopes: ['servers:read'] }])
  expect(Object.keys(data.held['api_keys']?.[0] ?? {})).not.toContain('hash')
})

test('the limit is 60 calls at once and 5 a second for each key, and every answer to a key says what is left', async () => {
  const limited = await startApp({ RATE_LIMITS: 'on' })
  const user = await limited.newUser()
  const [busy, other] = [await buildApiKey(user, 'servers:read'), await buildApiKey(user, 'servers:read')]
  const program = limited.withKey(busy.key)
  const first = await program.call(servers.list)
  const state = ({ headers }: ApiResponse<unknown>) => ['limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`))
  expect(state(first)).toEqual(['60', '59'])
  const reset = Number(first.headers.get('x-ratelimit-reset'))
  expect(reset - limited.clock.now() / 1000).toBeGreaterThan(-1)
  expect(reset - limited.clock.now() / 1000).toBeLessThan(2)
  expect(state(await program.call(transfers.cancel, { params: { id: randomUUID() } }))[0], 'a rejection has the headers too').toBe('60')
  const answers = await Promise.all(Array.from({ length: 200 }, () => program.call(servers.languages)))
  const rejected = answers.filter(({ status }) => status === 429)
  expect(rejected.length).toBeGreaterThan(3)
  for (const answer of rejected) {
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(state(answer)).toEqual(['60', '0'])
  }
  expect((await limited.withKey(other.key).call(servers.list)).status).toBe(200)
  expect((await user.call(servers.list)).status, 'sessions have their own limit').toBe(200)
  expect((await user.call(servers.list)).headers.get('x-ratelimit-limit')).toBeNull()
  limited.clock.advance(1100)
  expect((await program.call(servers.list)).status).toBe(200)
})

test('guessing keys counts against the address', async () => {
  const limited = await startApp({ RATE_LIMITS: 'on' })
  const statuses = await Promise.all(
    Array.from({ length: 400 }, async () => (await limited.withKey('msk_guess').fetch('/api/users/tokens')).status),
  )
  expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(300)
  expect(statuses).toContain(429)
})
