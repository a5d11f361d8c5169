/** A revoke ends a manager's rights at once: writes in flight are committed before it or never. */
import { beforeAll, expect } from 'vitest'
import * as managers from '#contract/servers/managers.ts'
import { changeLimits } from '#contract/users/users-admin.ts'
import { PERMISSION_KEYS } from '#contract/servers/permissions.ts'
import { buildServer, grant, offer } from '#tests/factories.ts'
import * as transfers from '#contract/servers/transfers.ts'
import type { TestApp } from '#tests/harness.ts'
import { type Call, type SignedInUser, WIDTH, activityRows, fire, fireOne, race, startRacing, newUsers, times, wait } from './race.ts'

let app: TestApp
let owner: SignedInUser
let recipient: SignedInUser
let manager: SignedInUser

beforeAll(async () => {
  app = await startRacing()
  const admin = await app.signIn('admin')
  ;[owner, recipient, manager] = (await newUsers(app, 3)) as [SignedInUser, SignedInUser, SignedInUser]
  for (const { id } of [owner, recipient]) await admin.call(changeLimits, { params: { id }, body: { max_masterlist_tokens: 1000 } })
})

/** A manager's writes on one server, each different from all others. */
function writesOn(serverId: string): Call[] {
  const params = { ownerId: owner.id, serverId }
  return times(WIDTH, (at) => {
    if (at % 5 === 3) return () => manager.call(managers.reissueManaged, { params })
    if (at % 5 === 4) return () => manager.call(managers.resetManagedAddress, { params })
    return () => manager.call(managers.changeManaged, { params, body: { description: `Change ${at}` } })
  })
}

/** The server and its credentials as they are committed now. */
async function stateOf(serverId: string): Promise<unknown> {
  return {
    server: await app.db.selectFrom('servers').selectAll().where('public_id', '=', serverId).executeTakeFirst(),
    credentials: await app.db.selectFrom('credentials').selectAll().where('server_id', '=', serverId).orderBy('id').execute(),
  }
}

/** Sends the manager's writes and, among them, the call that ends their rights; afterwards none may be committed. */
async function expectNoWritesAfter(serverId: string, index: number, end: Call): Promise<void> {
  let after: unknown
  const ending = wait((index % 4) * 5).then(async () => {
    const ended = await fireOne(end)
    expect(ended.status, ended.text).toBeLessThan(300)
    after = await stateOf(serverId)
    return fire(writesOn(serverId))
  })
  const outcomes = await fire(writesOn(serverId))
  const late = await ending
  expect(await stateOf(serverId)).toEqual(after)
  for (const { status } of late) expect(status).toBe(404)
  for (const { status, text } of outcomes) expect([200, 404], text).toContain(status)
  // A change committed before the revoke may still get 404, so there may be more rows than successes.
  const written = (await activityRows(app, { server: serverId })).filter((row) => row.actor_id === manager.id)
  expect(written.length).toBeGreaterThanOrEqual(outcomes.filter(({ status }) => status === 200).length)
}

race('no write of a manager is committed after the revoke returned', async (index) => {
  const server = await buildServer(owner)
  await grant(owner, manager.id, [...PERMISSION_KEYS])
  await expectNoWritesAfter(server.public_id, index, () => owner.call(managers.revoke, { body: { user_id: manager.id } }))
})

race('no write of a manager is committed after the resignation returned', async (index) => {
  const server = await buildServer(owner)
  const { id } = await grant(owner, manager.id, [...PERMISSION_KEYS])
  await expectNoWritesAfter(server.public_id, index, () => manager.call(managers.resign, { params: { id } }))
})

race('no write of the former owner’s manager is committed after the transfer returned', async (index) => {
  const server = await buildServer(owner)
  await grant(owner, manager.id, [...PERMISSION_KEYS])
  const { id } = await offer(owner, server.public_id, recipient.id)
  await expectNoWritesAfter(server.public_id, index, () => recipient.call(transfers.accept, { params: { id } }))
})

race('a write with a removed permission is rejected from then on, and the other permission stays', async (index) => {
  const server = await buildServer(owner)
  const params = { ownerId: owner.id, serverId: server.public_id }
  await grant(owner, manager.id, ['EDIT_DETAILS', 'RESET_ADDRESS'])
  const change = (text: string) => () => manager.call(managers.changeManaged, { params, body: { description: text } })
  const narrowing = wait((index % 4) * 5).then(async () => {
    await grant(owner, manager.id, ['RESET_ADDRESS'])
    const after = await stateOf(server.public_id)
    const late = await fire(times(3, (at) => change(`Late ${at}`)))
    expect(late.map(({ status }) => status)).toEqual([403, 403, 403])
    expect((await manager.call(managers.resetManagedAddress, { params })).status).toBe(200)
    return after
  })
  const outcomes = await fire(times(WIDTH, (at) => change(`Change ${at}`)))
  const after = await narrowing
  expect(await stateOf(server.public_id)).toEqual(after)
  for (const { status } of outcomes) expect([200, 403]).toContain(status)
})
