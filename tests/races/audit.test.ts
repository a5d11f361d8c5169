/** The activity matches the responses: one row for each change, none for a rejected one, and all lists agree. */
import { beforeAll, expect } from 'vitest'
import type { Action } from '#contract/events/events.ts'
import * as managers from '#contract/servers/managers.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { adminUser, changeLimits } from '#contract/users/users-admin.ts'
import { me } from '#contract/users/users.ts'
import { buildServer, grant, newName, offer } from '#tests/factories.ts'
import type { TestApp } from '#tests/harness.ts'
import { type Call, type SignedInUser, actionsOf, fire, lastActivity, race, startRacing, newUsers, times } from './race.ts'

let app: TestApp
let admin: SignedInUser

beforeAll(async () => {
  app = await startRacing()
  admin = await app.signIn('admin')
})

type Expected = readonly [Action, Call]

/** Calls among three users, several of which compete, each with the row that it records. */
async function callsAmong([a, b, c]: readonly [SignedInUser, SignedInUser, SignedInUser]): Promise<Expected[]> {
  const [one, two, three, four] = await Promise.all(times(4, () => buildServer(a)))
  const [kept, transferred, deleted, offered] = [one, two, three, four].map((server) => server?.public_id ?? '') as [
    string,
    string,
    string,
    string,
  ]
  const toB = await offer(a, transferred, b.id)
  const fromB = await offer(b, (await buildServer(b)).public_id, c.id)
  const managed = await grant(a, b.id, ['EDIT_DETAILS', 'REISSUE_CREDENTIAL'])
  const ofB = await grant(b, c.id, ['EDIT_DETAILS'])
  const params = { ownerId: a.id, serverId: kept }
  const name = newName()
  const change = (): Expected => [
    'SERVER_CHANGED',
    () => a.call(servers.change, { params: { id: kept }, body: { description: `${Math.random()}` } }),
  ]
  const remove = (): Expected => ['SERVER_DELETED', () => a.call(servers.remove, { params: { id: deleted } })]
  const accept = (): Expected => ['TRANSFER_ACCEPTED', () => b.call(transfers.accept, { params: { id: toB.id } })]
  return [
    change(),
    change(),
    ['SERVER_CHANGED', () => a.call(servers.change, { params: { id: deleted }, body: { description: `${Math.random()}` } })],
    ['SERVER_CHANGED', () => b.call(managers.changeManaged, { params, body: { description: `${Math.random()}` } })],
    ['CREDENTIAL_REISSUED', () => b.call(managers.reissueManaged, { params })],
    ['CREDENTIAL_REISSUED', () => a.call(servers.reissue, { params: { id: transferred } })],
    ['ADDRESS_RESET', () => a.call(servers.resetAddress, { params: { id: kept } })],
    ['SERVER_CREATED', () => c.call(servers.create, { body: { name } })],
    ['SERVER_CREATED', () => b.call(servers.create, { body: { name } })],
    remove(),
    remove(),
    accept(),
    accept(),
    ['TRANSFER_CANCELLED', () => a.call(transfers.cancel, { params: { id: toB.id } })],
    ['TRANSFER_DECLINED', () => c.call(transfers.cancel, { params: { id: fromB.id } })],
    ['TRANSFER_OFFERED', () => a.call(transfers.offer, { body: { token_id: offered, user_id: c.id } })],
    ['TRANSFER_OFFERED', () => a.call(transfers.offer, { body: { token_id: offered, user_id: b.id } })],
    ['MANAGER_GRANTED', () => c.call(managers.grant, { body: { user_id: a.id, permissions: ['EDIT_DETAILS'] } })],
    // These two compete, but do not affect the managed calls above, which use another grant.
    ['MANAGER_REVOKED', () => b.call(managers.revoke, { body: { user_id: c.id } })],
    ['MANAGER_REFUSED', () => c.call(managers.resign, { params: { id: ofB.id } })],
    [
      'MANAGER_CHANGED',
      () =>
        a.call(managers.grant, {
          body: { user_id: managed.manager_id, permissions: ['EDIT_DETAILS', 'REISSUE_CREDENTIAL', 'RESET_ADDRESS'] },
        }),
    ],
  ]
}

/** Both parties of every grant and offer see the same, and the administrator's view agrees. */
async function expectAgreement(users: readonly SignedInUser[]): Promise<void> {
  const seen = await Promise.all(
    users.map(async (one) => ({
      ...(await one.call(me)).data,
      ...(await one.call(servers.list)).data,
      all: (await admin.call(adminUser, { params: { id: one.id } })).data.masterListTokens,
    })),
  )
  const sorted = (texts: readonly string[]) => texts.toSorted()
  const given = seen.flatMap(({ id, gived_managements: all }) =>
    all.map((one) => `${one.id} ${id} ${one.manager_id} ${one.permissions.join()}`),
  )
  const received = seen.flatMap(({ id, recieved_managements: all }) =>
    all.map((one) => `${one.id} ${one.owner_id} ${id} ${one.permissions.join()}`),
  )
  expect(sorted(given)).toEqual(sorted(received))
  const outgoing = seen.flatMap(({ outgoing_transfers: all }) => all.map((one) => `${one.id} ${one.token.public_id} ${one.to_user.id}`))
  const incoming = seen.flatMap(({ id, incoming_transfers: all }) => all.map((one) => `${one.id} ${one.token.public_id} ${id}`))
  expect(sorted(outgoing)).toEqual(sorted(incoming))
  const owned = seen.flatMap(({ id, owned: all }) => all.map((one) => `${one.public_id} ${id} ${one.user_id}`))
  expect(new Set(owned.map((text) => text.slice(0, 7))).size).toBe(owned.length)
  for (const { id, owned: own, all } of seen) {
    expect(own.every((server) => server.user_id === id)).toBe(true)
    expect(sorted(all.map((server) => server.public_id))).toEqual(sorted(own.map((server) => server.public_id)))
  }
  const managed = seen.flatMap(({ id, management: all }) => all.map((one) => `${id} ${one.public_id} ${one.permissions.join()}`))
  const expected = seen.flatMap(({ gived_managements: grants, owned: own }) =>
    grants.flatMap((one) => own.map((server) => `${one.manager_id} ${server.public_id} ${one.permissions.join()}`)),
  )
  expect(sorted(managed)).toEqual(sorted(expected))
}

race('each accepted change is recorded once, and no rejected one is', async () => {
  const users = (await newUsers(app, 3)) as [SignedInUser, SignedInUser, SignedInUser]
  for (const { id } of users) await admin.call(changeLimits, { params: { id }, body: { max_masterlist_tokens: 20 } })
  const expected = await callsAmong(users)
  const from = await lastActivity(app)
  const outcomes = await fire(expected.map(([, call]) => call))
  const done: Record<string, number> = {}
  for (const [index, [action]] of expected.entries()) if ((outcomes[index]?.status ?? 500) < 300) done[action] = (done[action] ?? 0) + 1
  expect(await actionsOf(app, { afterId: from })).toEqual(done)
  // One of the competing calls succeeded.
  expect([done.SERVER_DELETED, (done.TRANSFER_ACCEPTED ?? 0) + (done.TRANSFER_CANCELLED ?? 0)]).toEqual([1, 1])
  expect([done.SERVER_CREATED, done.TRANSFER_OFFERED, (done.MANAGER_REVOKED ?? 0) + (done.MANAGER_REFUSED ?? 0)]).toEqual([1, 1, 1])
  await expectAgreement(users)
})
