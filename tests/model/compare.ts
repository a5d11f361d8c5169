/** Compares what users see with the model: every user's view, the administrator's, and the recorded activity. */
import { expect } from 'vitest'
import type { Action } from '#contract/events/events.ts'
import * as servers from '#contract/servers/servers.ts'
import { adminUser } from '#contract/users/users-admin.ts'
import { me } from '#contract/users/users.ts'
import type { Model } from './model.ts'
import { type System, userOf } from './system-under-test.ts'
import type { ModelGrant, ModelOffer, ModelServer } from './state.ts'

const sorted = (texts: readonly unknown[]) => texts.map((one) => JSON.stringify(one)).toSorted()

const textOf = (model: Model, server: ModelServer) => {
  const { name, description, vanity, promoted } = server
  return { name, description, vanity_url: vanity, promoted, dormant: model.dormant(server) }
}
const fieldsOf = ({ name, description, vanity_url, promoted, dormant }: servers.Server) => ({
  name,
  description,
  vanity_url,
  promoted,
  dormant,
})

/** What the user sees: `me`, and their lists if they may read them. */
export async function compareView(model: Model, system: System, user: number): Promise<void> {
  const [caller, state] = [userOf(system, user), model.userAt(user)]
  const mine = await caller.call(me)
  expect(mine.status, mine.text).toBe(state.gone ? 403 : 200)
  const list = await caller.call(servers.list)
  expect(list.status, list.text).toBe(model.isPresent(user) ? 200 : 403)
  if (state.gone) return
  const idOf = (other: number) => userOf(system, other).id
  expect({
    banned: mine.data.banned,
    isLeaving: mine.data.delete_at !== null,
    servers: mine.data.max_masterlist_tokens,
    managers: mine.data.max_managers,
  }).toEqual({ banned: state.banned, isLeaving: state.leaving, servers: model.serverLimit(user), managers: model.managerLimit(user) })
  expect(sorted(mine.data.gived_managements.map((one) => [one.id, one.manager_id, one.permissions]))).toEqual(
    sorted(model.givenBy(user).map(([id, one]) => [system.grants[id], idOf(one.manager), one.permissions])),
  )
  expect(sorted(mine.data.recieved_managements.map((one) => [one.id, one.owner_id, one.permissions]))).toEqual(
    sorted(model.receivedBy(user).map(([id, one]) => [system.grants[id], idOf(one.owner), one.permissions])),
  )
  if (model.isPresent(user)) compareLists(model, system, user, list.data)
}

function compareLists(model: Model, system: System, user: number, list: servers.ServerList): void {
  const idOf = (other: number) => userOf(system, other).id
  expect(sorted(list.owned.map((one) => [one.public_id, one.user_id, fieldsOf(one)]))).toEqual(
    sorted(model.ownedBy(user).map(([id, one]) => [system.servers[id], idOf(user), textOf(model, one)])),
  )
  const offers = (which: (offer: ModelOffer) => boolean) =>
    sorted(
      [...model.offers]
        .filter(([, offer]) => which(offer))
        .map(([id, { server, from, to }]) => [system.offers[id], system.servers[server], idOf(from), idOf(to)]),
    )
  const shown = (all: servers.ServerList['outgoing_transfers']) =>
    sorted(all.map((one) => [one.id, one.token.public_id, one.from_user.id, one.to_user.id]))
  expect(shown(list.outgoing_transfers)).toEqual(offers(({ from }) => from === user))
  expect(shown(list.incoming_transfers)).toEqual(offers(({ to }) => to === user))
  const isFull = model.ownedBy(user).length >= model.serverLimit(user)
  for (const { obstacles } of list.incoming_transfers) expect(obstacles.map(({ code }) => code)).toEqual(isFull ? ['SERVER_LIMIT'] : [])
  const managed = ([, { owner, permissions }]: [number, ModelGrant]) =>
    model.ownedBy(owner).map(([id, one]) => [system.servers[id], idOf(owner), permissions, textOf(model, one)])
  expect(sorted(list.management.map((one) => [one.public_id, one.owner.id, one.permissions, fieldsOf(one)]))).toEqual(
    sorted(model.receivedBy(user).flatMap(managed)),
  )
}

/** The administrator sees the servers of banned and leaving users too. */
async function compareForAdmin(model: Model, system: System, user: number): Promise<void> {
  const seen = await system.admin.call(adminUser, { params: { id: userOf(system, user).id } })
  expect(seen.status, seen.text).toBe(model.userAt(user).gone ? 404 : 200)
  if (seen.status !== 200) return
  expect(seen.data.masterListTokens.map((one) => one.public_id).toSorted()).toEqual(
    model
      .ownedBy(user)
      .map(([id]) => system.servers[id] ?? '')
      .toSorted(),
  )
}

/** Compares every view, and the number of recorded events of each type. */
export async function compareAll(model: Model, system: System): Promise<void> {
  const everyone = [...model.users.keys()]
  await Promise.all(everyone.flatMap((user) => [compareView(model, system, user), compareForAdmin(model, system, user)]))
  const rows = await system.app.db.selectFrom('activity').select('action').where('id', '>', system.from).execute()
  const recorded: Partial<Record<Action, number>> = {}
  for (const { action } of rows) recorded[action as Action] = (recorded[action as Action] ?? 0) + 1
  expect(recorded).toEqual(model.eventCounts)
}
