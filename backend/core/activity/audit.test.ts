/** The administrators' audit log: entries, filters and pages. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { AuditEntry } from '#contract/events/audit.ts'
import type { PageMeta } from '#contract/api/paging.ts'
import * as managers from '#contract/servers/managers.ts'
import * as servers from '#contract/servers/servers.ts'
import { banUser, changeLimits } from '#contract/users/users-admin.ts'
import { buildServer, grant } from '#tests/factories.ts'
import { type SignedInUser, startApp, type TestApp } from '#tests/harness.ts'

let app: TestApp
let admin: SignedInUser
let owner: SignedInUser
let manager: SignedInUser
let server: Awaited<ReturnType<typeof buildServer>>
let other: Awaited<ReturnType<typeof buildServer>>
beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
  owner = await app.signIn('audit.owner')
  manager = await app.signIn('audit.manager')
  server = await buildServer(owner, { name: 'Audited server' })
  other = await buildServer(await app.signIn('audit.other'), { name: 'Audited server, another' })
  await grant(owner, manager.id, ['EDIT_DETAILS'])
  const params = { ownerId: owner.id, serverId: server.public_id }
  await manager.call(managers.changeManaged, { params, body: { description: 'By hand' } })
  await owner.call(servers.reissue, { params: { id: server.public_id }, body: {} })
  await admin.call(changeLimits, { params: { id: owner.id }, body: { max_managers: 9 } })
  await owner.call(servers.change, { params: { id: server.public_id }, body: { name: 'Renamed server' } })
  await admin.call(banUser, { params: { id: manager.id }, body: { banned: true, banReason: 'Spam' } })
})

async function get(
  query: string,
  user = admin,
): Promise<{ status: number; text: string; data: AuditEntry[]; meta: PageMeta; errors: string[] }> {
  const response = await user.fetch(`/api/admin/audit?${query}`)
  const text = await response.text()
  const { data = [], meta, errors } = JSON.parse(text) as { data?: AuditEntry[]; meta: PageMeta; errors: string[] }
  return { status: response.status, text, data, meta, errors }
}

async function actionsOf(query: string): Promise<string[]> {
  const { status, text, data, meta } = await get(query)
  expect(status, text).toBe(200)
  expect(meta.total).toBe(data.length)
  return data.map((entry) => entry.action)
}

test('lists all activity, newest first, with the names of administrators and without secrets', async () => {
  const { data, text } = await get('')
  expect(data.slice(0, 3)).toMatchObject([
    { action: 'ACCOUNT_BANNED', as: 'administrator', actor_id: admin.id, actor: { id: admin.id }, owner: { id: manager.id }, user: null },
    { action: 'SERVER_CHANGED', as: 'self', actor_id: owner.id, before: { name: 'Audited server' }, after: { name: 'Renamed server' } },
    { action: 'LIMITS_CHANGED', as: 'administrator', actor: { discord: { username: 'admin' } }, owner_id: owner.id },
  ])
  expect(text).not.toContain(server.credential)
  expect((await get('', owner)).status).toBe(403)
})

describe('filters and search', () => {
  const ofServer = ['SERVER_CHANGED', 'CREDENTIAL_REISSUED', 'SERVER_CHANGED', 'SERVER_CREATED']
  const ofOwner = [
    'SERVER_CHANGED',
    'LIMITS_CHANGED',
    'CREDENTIAL_REISSUED',
    'SERVER_CHANGED',
    'MANAGER_GRANTED',
    'SERVER_CREATED',
    'ACCOUNT_CREATED',
  ]
  const cases: [string, () => string, string[]][] = [
    ['a server as the target', () => `target_id=${server.public_id}`, ofServer],
    ['a user as the target', () => `target_id=${owner.id}`, ofOwner],
    ['a user in upper case', () => `target_id=${owner.id.toUpperCase()}`, ofOwner],
    ['the other user of an entry', () => `target_id=${manager.id}`, ['ACCOUNT_BANNED', 'MANAGER_GRANTED', 'ACCOUNT_CREATED']],
    ['an actor', () => `actor_id=${manager.id}`, ['SERVER_CHANGED', 'ACCOUNT_CREATED']],
    ['an administrator as the actor', () => `actor_id=${admin.id}`, ['ACCOUNT_BANNED', 'LIMITS_CHANGED', 'ACCOUNT_CREATED']],
    ['one action', () => 'action=CREDENTIAL_REISSUED', ['CREDENTIAL_REISSUED']],
    ['two actions', () => 'action[0]=ACCOUNT_BANNED&action[1]=LIMITS_CHANGED', ['ACCOUNT_BANNED', 'LIMITS_CHANGED']],
    ['a role', () => 'as=manager', ['SERVER_CHANGED']],
    ['two roles', () => 'as[0]=manager&as[1]=administrator', ['ACCOUNT_BANNED', 'LIMITS_CHANGED', 'SERVER_CHANGED']],
    ['an action and a role', () => 'action=SERVER_CHANGED&as=manager', ['SERVER_CHANGED']],
    ['an action and a role that never occur together', () => 'action=SERVER_CREATED&as=manager', []],
    ['a target and an actor', () => `target_id=${owner.id}&actor_id=${admin.id}`, ['LIMITS_CHANGED']],
    [
      'a target and actions',
      () => `target_id=${server.public_id}&action[0]=SERVER_CHANGED&action[1]=SERVER_CREATED`,
      ['SERVER_CHANGED', 'SERVER_CHANGED', 'SERVER_CREATED'],
    ],
    ['oldest first', () => `target_id=${server.public_id}&order=asc`, ofServer.toReversed()],
    ['a name on Discord', () => 'search=Audit.Owner', ofOwner],
    ['the id of a user', () => `search=${manager.id}`, ['ACCOUNT_BANNED', 'SERVER_CHANGED', 'MANAGER_GRANTED', 'ACCOUNT_CREATED']],
    ['the public id of a server', () => `search=${server.public_id}`, ofServer],
    ['the current name of a server', () => 'search=renamed server', ofServer],
    ['the former name of a server', () => 'search=Audited server', ofServer],
    ['a name and an action', () => 'search=audit.owner&action=SERVER_CREATED', ['SERVER_CREATED']],
    ['a part of a name', () => 'search=audit.own', []],
    ['a wildcard', () => 'search=%25', []],
    ['an unknown user', () => 'target_id=00000000-0000-0000-0000-000000000000', []],
    ['an unknown server', () => 'target_id=aaaaaaA', []],
    ['an invalid id', () => 'actor_id=aaaaaaaaaa', []],
  ]
  test.each(cases)('%s', async (_, query, expected) => {
    expect(await actionsOf(query())).toEqual(expected)
  })

  test('a search by name excludes servers whose names only begin with it', async () => {
    const { data } = await get('search=Audited server')
    for (const entry of data) expect(entry.server?.public_id).toBe(server.public_id)
    expect((await get(`search=${other.public_id}`)).data.map((entry) => entry.action)).toEqual(['SERVER_CREATED'])
  })

  test('finds a deleted server by its former name and an erased user by id', async () => {
    const user = await app.newUser()
    const { public_id: id } = await buildServer(user, { name: 'Soon not here' })
    await user.call(servers.remove, { params: { id } })
    expect(await actionsOf('search=soon not here')).toEqual(['SERVER_DELETED', 'SERVER_CREATED'])
    const erasedId = '018f0000-0000-7000-8000-00000000dead'
    await app.db
      .insertInto('activity')
      .values({
        action: 'ACCOUNT_ERASED',
        role: 'system',
        actor_id: null,
        owner_id: erasedId,
        other_id: null,
        server_id: null,
        server_name: null,
        before: null,
        after: null,
      })
      .execute()
    expect((await get(`search=${erasedId}`)).data).toMatchObject([{ owner_id: erasedId, owner: null, actor: null }])
  })
})

test('returns pages after the last row without duplicates or gaps while entries are added', async () => {
  const { public_id: id } = await buildServer(owner)
  for (let count = 0; count < 9; count += 1) await owner.call(servers.change, { params: { id }, body: { description: `${count}` } })
  for (const query of ['', `target_id=${id}`, `actor_id=${owner.id}`, 'action[0]=SERVER_CHANGED&action[1]=SERVER_CREATED']) {
    const whole = (await get(`per_page=100&${query}`)).data.map((entry) => entry.id)
    const seen: string[] = []
    for (;;) {
      const { data } = await get(`per_page=4&${query}${seen.length === 0 ? '' : `&after=${seen.at(-1)}`}`)
      if (data.length === 0) break
      seen.push(...data.map((entry) => entry.id))
      await owner.call(servers.change, { params: { id }, body: { description: `${query} ${seen.length}` } })
    }
    expect(seen, query).toEqual(whole)
    expect(
      (await get(`per_page=4&${query}&before=${whole[6]}`)).data.map((entry) => entry.id),
      query,
    ).toEqual(
      (await get(`per_page=100&${query}`)).data
        .map((entry) => entry.id)
        .filter((id) => Number(id) > Number(whole[6]))
        .slice(-4),
    )
  }
})

test.each([
  ['action=NOTHING', /^action must be one of SERVER_CREATED, /],
  ['as=owner', /^as must be one of self, manager, administrator, system\.$/],
  ['target_id=%27', /^target_id must be an ID\.$/],
  ['actor_id[0]=abcdefg', /^actor_id must be an ID\.$/],
  ['sort=id', /^sort must be one of at\.$/],
  ['search=a%00', /^search can't contain control characters or invalid Unicode\.$/],
])('%s is rejected with a message', async (query, sentence) => {
  const { status, errors } = await get(query)
  expect(status).toBe(400)
  expect(errors).toEqual([expect.stringMatching(sentence)])
})

test.each(['after=abc', 'before=99999999999999999999', 'after=999999999999999999', 'target_id=0000000-'])('%s gets 200', async (query) => {
  expect((await get(query)).status).toBe(200)
})
