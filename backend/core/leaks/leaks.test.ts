/** Reports of leaked secrets: signatures, limits, and what they revoke. */
import { type KeyObject, generateKeyPairSync, hash, sign } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import * as activity from '#contract/events/activity.ts'
import * as apiKeys from '#contract/users/api-keys.ts'
import { audit } from '#contract/events/audit.ts'
import * as servers from '#contract/servers/servers.ts'
import { newApiKey } from '#backend/core/api-keys/api-key.ts'
import { newCredential } from '#backend/core/servers/credential.ts'
import { announce, buildApiKey, buildServer, grant } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { listen } from '#tests/listen.ts'

const URL_FOUND = 'https://github.com/octocat/Hello-World/blob/12345600b9cbe38a219f39a9941c9319b600c002/foo/bar.txt'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})

interface Verdict {
  readonly token_hash: string
  readonly token_type: string
  readonly label: string
}

const post = (body: string, { headers = {}, to = app }: { headers?: Record<string, string>; to?: TestApp } = {}) =>
  fetch(`${to.panelUrl}/api/leaks`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })

const entryOf = (token: string, more: Record<string, unknown> = {}) => ({
  token,
  type: 'muster_secret',
  url: URL_FOUND,
  source: 'content',
  ...more,
})

async function report(...tokens: string[]): Promise<string[]> {
  const answer = await post(JSON.stringify(tokens.map((token) => entryOf(token))))
  expect(answer.status).toBe(200)
  return ((await answer.json()) as Verdict[]).map(({ label }) => label)
}

const errorsOf = async (answer: Response) => ((await answer.json()) as { errors: string[] }).errors

describe('a leaked credential', () => {
  test('is revoked at once, the server leaves the list, and only its owner learns where it was found', async () => {
    const [owner, manager, stranger] = [await app.newUser(), await app.newUser(), await app.newUser()]
    const server = await buildServer(owner)
    await grant(owner, manager.id, ['EDIT_DETAILS'])
    expect((await announce(app, server.credential)).status).toBe(200)
    expect(await report(server.credential)).toEqual(['true_positive'])
    expect((await announce(app, server.credential)).status).toBe(401)
    const shown = (await owner.call(servers.get, { params: { id: server.public_id } })).data
    expect(shown.credential_hint).toBe('')
    expect(shown.listing).toMatchObject({ listed: false, reasons: [{ code: 'NO_CREDENTIAL' }, { code: 'CREDENTIAL_REVOKED' }] })
    const [entry] = (await owner.call(activity.ofServer, { params: { id: server.public_id } })).data
    expect(entry).toMatchObject({
      action: 'CREDENTIAL_LEAKED',
      as: 'system',
      after: { leaked_hint: server.credential.slice(-4), found_at: URL_FOUND, found_in: 'content' },
    })
    for (const other of [manager, stranger]) expect((await other.call(activity.ofAccount)).text).not.toContain('LEAKED')
    const admin = await app.signIn('admin')
    expect((await admin.call(audit, { query: { target_id: server.public_id } })).text).not.toContain(server.credential)
  })

  test('that is reported again counts as real and changes nothing', async () => {
    const owner = await app.newUser()
    const server = await buildServer(owner)
    expect(await report(server.credential)).toEqual(['true_positive'])
    const { credential } = (await owner.call(servers.reissue, { params: { id: server.public_id } })).data
    expect(await report(server.credential)).toEqual(['true_positive'])
    expect((await announce(app, credential)).status).toBe(200)
    const entries = (await owner.call(activity.ofServer, { params: { id: server.public_id } })).data
    expect(entries.map(({ action }) => action)).toEqual(['ADDRESS_BOUND', 'CREDENTIAL_REISSUED', 'CREDENTIAL_LEAKED', 'SERVER_CREATED'])
  })

  test('that has a newer one beside it leaves the newer one working', async () => {
    const owner = await app.newUser()
    const server = await buildServer(owner)
    const params = { id: server.public_id }
    const { credential } = (await owner.call(servers.reissue, { params, body: { grace_seconds: 3600 } })).data
    await report(server.credential)
    expect((await announce(app, server.credential)).status).toBe(401)
    expect((await announce(app, credential)).status).toBe(200)
    expect((await owner.call(servers.get, { params })).data.credential_hint).toBe(credential.slice(-4))
  })

  test('of a deleted server counts as real', async () => {
    const owner = await app.newUser()
    const server = await buildServer(owner)
    await owner.call(servers.remove, { params: { id: server.public_id } })
    expect(await report(server.credential)).toEqual(['true_positive'])
  })
})

describe('a leaked API key', () => {
  test('is revoked at once, its streams end, and the activity of its user says where it was found', async () => {
    const user = await app.newUser()
    const { key, prefix } = await buildApiKey(user, 'servers:read')
    const stream = await listen(app.withKey(key))
    const panel = await listen(user)
    expect(await report(key)).toEqual(['true_positive'])
    const rejected = await app.withKey(key).call(servers.list)
    expect([rejected.status, rejected.error.errors[0]]).toEqual([401, expect.stringContaining('revoked')])
    await expect.poll(() => stream.hasEnded()).toBe(true)
    await panel.until(({ event, data }) => event === 'account' && (data['changed'] as string[]).includes('api_keys'))
    panel.close()
    expect((await user.call(apiKeys.list)).data).toEqual([])
    const { data, text } = await user.call(activity.ofAccount)
    expect(data[0]).toMatchObject({ action: 'API_KEY_LEAKED', as: 'system', after: { name: 'CI', prefix, found_at: URL_FOUND } })
    expect(text).not.toContain(key)
    expect(await report(key)).toEqual(['true_positive'])
  })

  test('is not repeated from the address where it was found, and other addresses than web pages are left out', async () => {
    const user = await app.newUser()
    const [first, second] = [await buildApiKey(user, 'servers:read'), await buildApiKey(user, 'servers:read')]
    const urls = [`https://me:pass@paste.example/${first.key}?q=${first.key}`, 'javascript:alert(1)']
    await post(JSON.stringify([entryOf(first.key, { url: urls[0] }), entryOf(second.key, { url: urls[1], source: '<b>' })]))
    const { data } = await user.call(activity.ofAccount)
    expect(data[1]?.after).toMatchObject({ found_at: 'https://paste.example/[secret]?q=[secret]', found_in: 'content' })
    expect(Object.keys(data[0]?.after ?? {})).toEqual(['name', 'prefix'])
  })
})

test('the reply has one verdict for each secret, with its SHA-256 and type', async () => {
  const owner = await app.newUser()
  const { credential } = await buildServer(owner)
  const tokens = ['nonsense', newApiKey().key.reveal(), newCredential('AbCdEf1').reveal(), credential, credential]
  const answer = await post(JSON.stringify(tokens.map((token, index) => entryOf(token, { type: `type_${index}`, extra: 1 }))))
  const labels = ['false_positive', 'false_positive', 'false_positive', 'true_positive', 'true_positive']
  expect(await answer.json()).toEqual(
    tokens.map((token, index) => ({ token_hash: hash('sha256', token), token_type: `type_${index}`, label: labels[index] })),
  )
})

test.each([
  ['', 'The body is not valid JSON.'],
  ['{', 'The body is not valid JSON.'],
  ['{}', 'The body must be a list with at least one leaked secret.'],
  ['[]', 'The body must be a list with at least one leaked secret.'],
  [
    JSON.stringify(Array.from({ length: 500_000 }, () => 0)),
    'A report without a signature can have at most 60 secrets. Send several reports.',
  ],
])('%.20s is rejected with a sentence', async (body, sentence) => {
  const answer = await post(body)
  expect(answer.status).toBe(400)
  expect(await errorsOf(answer)).toContain(sentence)
})

test('an odd entry is false, and the secrets beside it are revoked', async () => {
  const owner = await app.newUser()
  const credentials = []
  for (let index = 0; index < 2; index += 1) credentials.push((await buildServer(owner)).credential)
  const [first = '', second = ''] = credentials
  const long = 'x'.repeat(2001)
  const entries = [0, null, 'text', [], {}, { token: 1 }, { token: long }, { token: first, type: 'y'.repeat(201), url: null, source: 3 }]
  const answer = await post(JSON.stringify([...entries, entryOf(second, { url: long, type: 'kept' })]))
  expect(answer.status).toBe(200)
  expect(await answer.json()).toEqual([
    ...Array.from({ length: 6 }, () => ({ token_hash: '', token_type: '', label: 'false_positive' })),
    { token_hash: hash('sha256', long), token_type: '', label: 'false_positive' },
    { token_hash: hash('sha256', first), token_type: '', label: 'true_positive' },
    { token_hash: hash('sha256', second), token_type: 'kept', label: 'true_positive' },
  ])
  for (const credential of credentials) expect((await announce(app, credential)).status).toBe(401)
})

test('without a signature, an address can report 60 secrets an hour', async () => {
  const limited = await startApp({ RATE_LIMITS: 'on' })
  const many = (count: number) => JSON.stringify(Array.from({ length: count }, () => entryOf('x')))
  const tooLong = await post(many(61), { to: limited })
  expect([tooLong.status, await errorsOf(tooLong)]).toEqual([
    400,
    ['A report without a signature can have at most 60 secrets. Send several reports.'],
  ])
  expect((await post(many(50), { to: limited })).status).toBe(200)
  const rejected = await post(many(11), { to: limited })
  expect(rejected.status).toBe(429)
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await post(many(10), { to: limited })).status).toBe(200)
  expect((await post(many(1), { to: limited })).status).toBe(429)
  limited.clock.advance(61_000)
  expect((await post(many(1), { to: limited })).status).toBe(200)
})

describe('with LEAK_REPORT_PUBLIC_KEYS', () => {
  const pairs = [generateKeyPairSync('ec', { namedCurve: 'P-256' }), generateKeyPairSync('ec', { namedCurve: 'P-256' })] as const
  const pemOf = (key: KeyObject) => String(key.export({ type: 'spki', format: 'pem' }))
  const identifiers = pairs.map(({ publicKey }) => hash('sha256', pemOf(publicKey)))
  let signed: TestApp
  beforeAll(async () => {
    const keys = pairs.map(({ publicKey }) => pemOf(publicKey)).join('\n')
    signed = await startApp({ LEAK_REPORT_PUBLIC_KEYS: keys, RATE_LIMITS: 'on' })
  })
  const signatureOf = (text: string, pair: 0 | 1) => sign('sha256', Buffer.from(text), pairs[pair].privateKey).toString('base64')
  const body = JSON.stringify([entryOf('x')])
  const send = (identifier: string | undefined, signature: string | undefined, sent = body) =>
    post(sent, {
      to: signed,
      headers: {
        ...(identifier !== undefined && { 'GITHUB-PUBLIC-KEY-IDENTIFIER': identifier }),
        ...(signature !== undefined && { 'GITHUB-PUBLIC-KEY-SIGNATURE': signature }),
      },
    })

  test('a report needs a signature of one of the keys over the bytes of its body', async () => {
    const { credential } = await buildServer(await signed.newUser())
    const real = JSON.stringify([entryOf(credential)])
    for (const [identifier, signature, sent] of [
      [identifiers[0], '!!!', real],
      [identifiers[0], signatureOf(body, 0), real],
      [identifiers[0], signatureOf(real, 0), `${real} `],
      [identifiers[1], signatureOf(real, 0), real],
    ] as const) {
      const answer = await send(identifier, signature, sent)
      expect([answer.status, await errorsOf(answer)]).toEqual([403, ['The signature does not match the body.']])
    }
    for (const unsigned of [await send(undefined, undefined, real), await send(identifiers[0], '', real)])
      expect([unsigned.status, await errorsOf(unsigned)]).toEqual([
        403,
        ['This report is not signed. Sign its body and send the signature in the GITHUB-PUBLIC-KEY-SIGNATURE header.'],
      ])
    expect((await announce(signed, credential)).status).toBe(200)
    expect((await send(identifiers[1], signatureOf(real, 1), real)).status).toBe(200)
    expect((await announce(signed, credential)).status).toBe(401)
  })

  test('an unknown or missing identifier tries each key', async () => {
    expect((await send('0'.repeat(64), signatureOf(body, 1))).status).toBe(200)
    expect((await send(undefined, signatureOf(body, 0))).status).toBe(200)
  })

  test('a signed report can have 1,000 secrets', async () => {
    const long = JSON.stringify(Array.from({ length: 1001 }, () => 0))
    const answer = await send(identifiers[0], signatureOf(long, 0), long)
    expect([answer.status, await errorsOf(answer)]).toEqual([400, ['The report can name at most 1000 secrets.']])
  })

  test('signed reports have no limit of their own', async () => {
    const long = JSON.stringify(Array.from({ length: 500 }, () => entryOf('x')))
    expect((await send(identifiers[0], signatureOf(long, 0), long)).status).toBe(200)
  })
})
