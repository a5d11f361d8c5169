/** Announces that are rejected: credentials, addresses, bans, fields, bodies. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { ListErrorReply } from '#contract/api/errors.ts'
import { newCredential } from '#backend/core/servers/credential.ts'
import { checksumOf } from '#backend/platform/secret-text.ts'
import { ban, buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, send } from '#tests/list/send.ts'

/** Hosts that players on the internet cannot reach, as written in URLs. */
const PRIVATE = [
  'localhost',
  'cdn',
  'game.localhost',
  'nas.local',
  'files.internal',
  '127.0.0.1',
  '10.0.0.7',
  '172.16.3.4',
  '192.168.1.2',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '[::1]',
  '[fe80::1]',
  '[fd00::1]',
  '[::ffff:192.168.1.2]',
]

let app: TestApp
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp()
  owner = await fleetOwner(app)
})

const attemptsOf = async (id: string) => (await owner.call(servers.announces, { params: { id } })).data
const serverOf = async (id: string) => (await owner.call(servers.get, { params: { id } })).data

describe('an announce is rejected', () => {
  /** Returns status and code. Expects a full sentence and a remedy. */
  const rejectionOf = (response: { status: number; rejection: unknown }) => {
    const reply = ListErrorReply.parse(response.rejection)
    expect([reply.statusCode, reply.isBusiness]).toEqual([response.status, false])
    expect(reply.errors.join('')).toMatch(/\.$/)
    expect(reply.remedy).toMatch(/\.$/)
    return [response.status, reply.code]
  }

  test('without a credential', async () => {
    expect(rejectionOf(await announceFrom(app, undefined))).toEqual([401, 'CREDENTIAL_MISSING'])
  })

  test('with bytes that are not UTF-8, and the owner sees why', async () => {
    const { credential, public_id } = await buildServer(owner)
    const body = Buffer.from('{"port":1,"playersCount":0,"maxPlayersCount":1,"passworded":false,"version":"Größe","branch":"rc"}', 'latin1')
    const { status, text } = await send(`${app.listUrl}/announce`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${credential}` },
    })
    const rejection = ListErrorReply.parse(JSON.parse(text))
    expect([rejectionOf({ status, rejection }), rejection.errors]).toEqual([
      [400, 'BODY_INVALID'],
      ['The body contains bytes that are not UTF-8. Send JSON in UTF-8.'],
    ])
    expect((await attemptsOf(public_id))[0]).toMatchObject({ outcome: 'refused', code: 'BODY_INVALID' })
    expect((await serverOf(public_id)).status).toBe('never_seen')
  })

  const STACKED = `R${'\u0335\u0337\u0301\u0316'.repeat(7)}`
  test.each([
    [{ gameMode: STACKED }, "gameMode can't contain marks without a letter, or more than four on one letter."],
    [{ version: STACKED }, "version can't contain marks without a letter, or more than four on one letter."],
    [{ branch: STACKED }, "branch can't contain marks without a letter, or more than four on one letter."],
    [{ version: '   ' }, 'version is required.'],
    [{ branch: ' ' }, 'branch is required.'],
    [{ gameMode: 'Race\u2065' }, "gameMode can't contain U+2065: it is an invisible, control or undefined character."],
    [{ version: '1\uFFFC' }, "version can't contain U+FFFC: it is an invisible, control or undefined character."],
    [{ branch: 'rc\u{E0041}' }, "branch can't contain U+E0041: it is an invisible, control or undefined character."],
  ])('with the text %o, which players cannot read', async (fields, sentence) => {
    const { credential } = await buildServer(owner)
    const response = await announceFrom(app, credential, fields)
    expect([rejectionOf(response), response.rejection.errors]).toEqual([[400, 'BODY_INVALID'], [sentence]])
  })

  test('with a mistyped credential, recognized by its checksum', async () => {
    const { credential } = await buildServer(owner)
    const typo = `${credential.slice(0, 20)}${credential[20] === 'a' ? 'b' : 'a'}${credential.slice(21)}`
    expect(rejectionOf(await announceFrom(app, typo))).toEqual([401, 'CREDENTIAL_MALFORMED'])
    expect(rejectionOf(await announceFrom(app, 'hello'))).toEqual([401, 'CREDENTIAL_MALFORMED'])
    expect(rejectionOf(await announceFrom(app, 'x'.repeat(5000)))).toEqual([401, 'CREDENTIAL_MALFORMED'])
  })

  test('with a well-formed credential that was never issued', async () => {
    const start = `mst_AbCdEfG_${'x'.repeat(30)}`
    expect(rejectionOf(await announceFrom(app, start + checksumOf(start)))).toEqual([401, 'CREDENTIAL_UNKNOWN'])
    expect(rejectionOf(await announceFrom(app, newCredential('AbCdEfG').reveal()))).toEqual([401, 'CREDENTIAL_UNKNOWN'])
  })

  test('with a revoked credential, also after a restart, and the owner sees the attempt', async () => {
    const { credential, public_id } = await buildServer(owner)
    await announceFrom(app, credential)
    await owner.call(servers.reissue, { params: { id: public_id }, body: {} })
    expect(rejectionOf(await announceFrom(app, credential))).toEqual([401, 'CREDENTIAL_REVOKED'])
    expect((await attemptsOf(public_id))[0]).toMatchObject({ outcome: 'refused', code: 'CREDENTIAL_REVOKED', address: '127.0.0.1' })
    await app.restart()
    expect(rejectionOf(await announceFrom(app, credential))).toEqual([401, 'CREDENTIAL_REVOKED'])
    expect((await serverOf(public_id)).listing.reasons.map((reason) => reason.code)).toContain('CREDENTIAL_REVOKED')
  })

  test('with the credential of a deleted server', async () => {
    const { credential, public_id } = await buildServer(owner)
    await owner.call(servers.remove, { params: { id: public_id } })
    expect(rejectionOf(await announceFrom(app, credential))).toEqual([401, 'CREDENTIAL_REVOKED'])
    await app.restart()
    expect(rejectionOf(await announceFrom(app, credential))).toEqual([401, 'CREDENTIAL_REVOKED'])
  })

  test('from another address than the first, until the owner resets the bound address', async () => {
    const { credential, public_id } = await buildServer(owner)
    await announceFrom(app, credential)
    expect(rejectionOf(await announceFrom(app, credential, {}, { from: '127.0.0.2' }))).toEqual([409, 'ADDRESS_MISMATCH'])
    expect((await attemptsOf(public_id)).map((attempt) => [attempt.code, attempt.address])).toEqual([
      ['ADDRESS_MISMATCH', '127.0.0.2'],
      ['CAME_ONLINE', '127.0.0.1'],
    ])
    const reset = await owner.call(servers.resetAddress, { params: { id: public_id } })
    expect(reset.data.bound_address).toBeNull()
    expect((await announceFrom(app, credential, {}, { from: '127.0.0.2' })).status).toBe(200)
    expect(rejectionOf(await announceFrom(app, credential))).toEqual([409, 'ADDRESS_MISMATCH'])
    await app.restart()
    expect(rejectionOf(await announceFrom(app, credential))).toEqual([409, 'ADDRESS_MISMATCH'])
  })

  test('from another address until a reset, which does not deadlock with the saving of credential times', async () => {
    const { credential, public_id } = await buildServer(owner)
    const reissued = await owner.call(servers.reissue, { params: { id: public_id }, body: { grace_seconds: 3600 } })
    for (const each of [credential, reissued.data.credential]) expect((await announceFrom(app, each)).status).toBe(200)
    const uses = app.db.selectFrom('credential_addresses as x').innerJoin('credentials as c', 'c.id', 'x.credential_id').select('c.id')
    const ids = (await uses.where('server_id', '=', public_id).orderBy('c.id').execute()).map(({ id }) => id)
    const [first = '', last = ''] = ids
    const isWaiting = async () => {
      const waits = sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%credential_addresses%'`
      return (await waits.execute(app.db)).rows.length > 0
    }
    const reset = await app.db.transaction().execute(async (trx) => {
      await sql`select from credential_addresses where credential_id = ${first} for update`.execute(trx)
      const resetting = owner.call(servers.resetAddress, { params: { id: public_id } })
      await expect.poll(isWaiting).toBe(true)
      // The reset must not lock a later row yet, because moves lock rows, too.
      await sql`select from credential_addresses where credential_id = ${last} for update nowait`.execute(trx)
      return { resetting }
    })
    expect((await reset.resetting).status).toBe(200)
    expect((await serverOf(public_id)).bound_address).toBeNull()
  })

  test('exactly one of two concurrent first announces from two addresses binds', async () => {
    const { credential } = await buildServer(owner)
    const both = await Promise.all(
      ['127.0.0.2', '127.0.0.3', '127.0.0.2', '127.0.0.3'].map((from) => announceFrom(app, credential, {}, { from })),
    )
    expect(both.map((response) => response.status).toSorted((a, b) => a - b)).toEqual([200, 200, 409, 409])
  })

  test('when the server or its owner is banned', async () => {
    const banned = await app.signIn('bannedowner')
    const mine = await buildServer(banned)
    const other = await buildServer(owner)
    const banned_until = new Date(Date.UTC(2036, 11, 3, 12))
    await app.db
      .updateTable('servers')
      .set({ banned: true, ban_reason: 'Fake players', banned_until })
      .where('public_id', '=', other.public_id)
      .execute()
    await ban(app, banned.id)
    await app.restart()
    expect(rejectionOf(await announceFrom(app, mine.credential))).toEqual([403, 'OWNER_BANNED'])
    expect(rejectionOf(await announceFrom(app, other.credential))).toEqual([403, 'SERVER_BANNED'])
    const { listing } = await serverOf(other.public_id)
    expect(listing.listed).toBe(false)
    expect(listing.reasons[0]).toMatchObject({ code: 'SERVER_BANNED' })
    expect(listing.reasons[0]?.message).toContain('The reason: Fake players. The ban ends on 3 December 2036 at 12:00 UTC. ')
  })

  test.each([
    ['port', 0],
    ['port', 65_536],
    ['port', '7788'],
    ['playersCount', -1],
    ['playersCount', 4097],
    ['playersCount', 1.5],
    ['maxPlayersCount', 0],
    ['maxPlayersCount', 4097],
    ['passworded', 'no'],
    ['version', ''],
    ['version', 'v'.repeat(33)],
    ['version', 'a\u0000b'],
    ['branch', 7],
    ['gameMode', 'g'.repeat(33)],
    ['queueCount', -1],
    ['useVoiceChat', 1],
    ['useEarlyAuth', 'no'],
    ['earlyAuthUrl', 'javascript:alert(1)'],
    ['useCdn', 'yes'],
    ['cdnUrl', 'ftp://example.com'],
    ['version', undefined],
    ['port', undefined],
    ...PRIVATE.flatMap((name): [string, string][] => [
      ['host', name],
      ['host', `${name}:7788`],
      ['cdnUrl', `http://${name}/files`],
      ['earlyAuthUrl', `https://${name}:8443/`],
    ]),
    ...['10.1.2.3:', 'a/b', 'user@example.com', 'two words.example', 'http://example.com', 'fd00::1', '::1'].map(
      (name): [string, string] => ['host', name],
    ),
    ['cdnUrl', 'http://0x7f.1/'],
    ['cdnUrl', 'http://2130706433/'],
    ['cdnUrl', 'http://127.1/'],
    ['cdnUrl', 'http://①②⑦.0.0.1/'],
    ['cdnUrl', 'http://localhost./'],
  ])('when %s is %j', async (field, value) => {
    const { credential } = await buildServer(owner)
    const response = await announceFrom(app, credential, { [field]: value })
    expect(rejectionOf(response)).toEqual([400, 'BODY_INVALID'])
    expect(response.rejection.errors.join(' ')).toContain(field)
  })

  test.each(['', '{', '[]', 'null', '"text"', '\u0000'])('when the body is %j', async (body) => {
    const { credential } = await buildServer(owner)
    const response = await announceFrom(app, credential, {}, { body })
    expect([response.status, response.rejection.statusCode]).toEqual([400, 400])
  })

  test('when the body is larger than 8 KiB, with or without a content length', async () => {
    const { credential } = await buildServer(owner)
    const body = JSON.stringify({ padding: 'x'.repeat(9000) })
    expect(rejectionOf(await announceFrom(app, credential, {}, { body }))).toEqual([413, 'BODY_TOO_LARGE'])
    expect(rejectionOf(await announceFrom(app, credential, {}, { body, headers: { 'transfer-encoding': 'chunked' } }))).toEqual([
      413,
      'BODY_TOO_LARGE',
    ])
  })
})
