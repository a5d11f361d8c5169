/**
 * The steps of a sequence. Each gets the expected result from the model, makes the call and compares. Targets are numbers, resolved at
 * run time, so any part of a sequence is valid and failures shrink well.
 */
import type fc from 'fast-check'
import { sql } from 'kysely'
import * as account from '#contract/users/account.ts'
import { restore as restoreServer } from '#contract/servers/deleted-servers.ts'
import * as managers from '#contract/servers/managers.ts'
import type { Permission } from '#contract/servers/permissions.ts'
import * as servers from '#contract/servers/servers.ts'
import * as transfers from '#contract/servers/transfers.ts'
import { banUser, changeLimits, forceTier } from '#contract/users/users-admin.ts'
import { erase as eraseAccount } from '#backend/services/account/erasure.ts'
import { expireTransfers } from '#backend/core/transfers/withdrawal.ts'
import { compareView } from './compare.ts'
import type { Model } from './model.ts'
import { USER_COUNT, type System, expectStatus, userOf } from './system-under-test.ts'
import type { Change } from './state.ts'

export type Step = fc.AsyncCommand<Model, System>

/** A user by number, or `right`: the permitted user. */
export type By = number | 'right'

const step = (text: string, run: (model: Model, system: System) => Promise<void>, check: Step['check'] = () => true): Step => ({
  check,
  run,
  toString: () => text,
})

/** One step in six targets something that is gone or never existed. */
const isMissingTarget = (ref: number) => ref % 6 === 5

/** Skips a step without a target. */
const needs = (what: 'servers' | 'inBin' | 'offers' | 'grants', ref: number) => (model: Readonly<Model>) =>
  model[what].size > 0 || isMissingTarget(ref)

function pick(existing: readonly number[], created: number, ref: number): number {
  if (!isMissingTarget(ref) && existing.length > 0) return existing[ref % existing.length] ?? 0
  return created === 0 ? 0 : ref % created
}

const NO_SERVER = '0000000'
const NO_ID = '00000000-0000-7000-8000-000000000000'

const aServer = (model: Model, ref: number) => pick([...model.servers.keys()], model.serversCreated, ref)
const aDeleted = (model: Model, ref: number) => pick([...model.inBin.keys()], model.serversCreated, ref)
const anOffer = (model: Model, ref: number) => pick([...model.offers.keys()], model.offersCreated, ref)
const aGrant = (model: Model, ref: number) => pick([...model.grants.keys()], model.grantsCreated, ref)

/** Mostly another user, relative to `user`; 7 is the user themselves. */
const targetUser = (user: number, to: number) => (to === 7 ? user : (user + 1 + (to % (USER_COUNT - 1))) % USER_COUNT)

const actor = (by: By, right: number | undefined) => (by === 'right' ? (right ?? 0) : by)

/** The HTTP body of a change. */
function bodyOf(system: System, change: Change): servers.ServerChanges {
  if (change.field === 'vanity') return { vanity_url: change.value }
  return { [change.field]: change.field === 'name' ? fullName(system, change.value) : change.value }
}

const fullName = (system: System, word: string) => `${system.prefix} ${word}`

/** The change with the full names and vanity IDs, which are unique to this sequence. */
function completeChange(system: System, change: Change): Change {
  if (change.field === 'name') return { ...change, value: fullName(system, change.value) }
  if (change.field === 'vanity' && change.value !== null) return { ...change, value: vanityOf(system, change.value) }
  return change
}

const vanityOf = (system: System, word: string) => `${word}-${userOf(system, 0).id.slice(-12)}`

export const create = (user: number, word: string): Step =>
  step(`create(${user}, ${word})`, async (model, system) => {
    const name = fullName(system, word)
    const created = await expectStatus(model.create(user, name), userOf(system, user), servers.create, { body: { name } })
    if (created.status === 200) system.servers.push((created.data as servers.ServerWithCredential).public_id)
  })

export const change = (by: By, ref: number, what: Change): Step =>
  step(
    `change(${by}, server ${ref}, ${what.field} = ${String(what.value)})`,
    async (model, system) => {
      const id = aServer(model, ref)
      const user = actor(by, model.servers.get(id)?.owner)
      const full = completeChange(system, what)
      const body = what.field === 'name' ? bodyOf(system, what) : bodyOf(system, full)
      await expectStatus(model.change(user, id, full), userOf(system, user), servers.change, {
        params: { id: system.servers[id] ?? NO_SERVER },
        body,
      })
    },
    needs('servers', ref),
  )

/** Grants of owners who have servers. */
const usableGrants = (model: Readonly<Model>) =>
  [...model.grants].filter(([, { owner }]) => model.ownedBy(owner).length > 0).map(([id]) => id)
const needsUsableGrant = (ref: number) => (model: Readonly<Model>) => isMissingTarget(ref) || usableGrants(model).length > 0

/** A manager, a server and its owner; any user if there is no grant. */
function managedTarget(model: Model, system: System, by: By, ref: number) {
  const grant = model.grants.get(pick(usableGrants(model), model.grantsCreated, ref))
  const owner = grant?.owner ?? ref % USER_COUNT
  const owned = model.ownedBy(owner).map(([id]) => id)
  const id = owned[ref % Math.max(1, owned.length)] ?? aServer(model, ref)
  const user = actor(by, grant?.manager)
  return { user, owner, id, params: { ownerId: userOf(system, owner).id, serverId: system.servers[id] ?? NO_SERVER } }
}

export const changeManaged = (by: By, ref: number, what: Change): Step =>
  step(
    `changeManaged(${by}, grant ${ref}, ${what.field} = ${String(what.value)})`,
    async (model, system) => {
      const { user, owner, id, params } = managedTarget(model, system, by, ref)
      const full = completeChange(system, what)
      const body = what.field === 'name' ? bodyOf(system, what) : bodyOf(system, full)
      await expectStatus(model.changeManaged(user, owner, id, full), userOf(system, user), managers.changeManaged, { params, body })
    },
    needsUsableGrant(ref),
  )

/** Reissues a credential or resets an address, as the owner or as a manager. */
export const renew = (what: 'reissue' | 'resetAddress', as: 'owner' | 'manager', by: By, ref: number): Step =>
  step(
    `${what} as ${as}(${by}, ${ref})`,
    async (model, system) => {
      if (as === 'owner') {
        const id = aServer(model, ref)
        const user = actor(by, model.servers.get(id)?.owner)
        const endpoint = what === 'reissue' ? servers.reissue : servers.resetAddress
        await expectStatus(model[what](user, id), userOf(system, user), endpoint, { params: { id: system.servers[id] ?? NO_SERVER } })
        return
      }
      const { user, owner, id, params } = managedTarget(model, system, by, ref)
      const endpoint = what === 'reissue' ? managers.reissueManaged : managers.resetManagedAddress
      await expectStatus(model[what](user, id, owner), userOf(system, user), endpoint, { params })
    },
    as === 'owner' ? needs('servers', ref) : needsUsableGrant(ref),
  )

export const remove = (by: By, ref: number): Step =>
  step(
    `remove(${by}, server ${ref})`,
    async (model, system) => {
      const id = aServer(model, ref)
      const user = actor(by, model.servers.get(id)?.owner)
      await expectStatus(model.remove(user, id), userOf(system, user), servers.remove, { params: { id: system.servers[id] ?? NO_SERVER } })
    },
    needs('servers', ref),
  )

export const restore = (by: By, ref: number): Step =>
  step(
    `restore(${by}, deleted server ${ref})`,
    async (model, system) => {
      const id = aDeleted(model, ref)
      const user = actor(by, model.inBin.get(id)?.owner)
      const params = { id: system.servers[id] ?? NO_SERVER }
      await expectStatus(model.restore(user, id), userOf(system, user), restoreServer, { params })
    },
    needs('inBin', ref),
  )

export const offer = (by: By, ref: number, to: number): Step =>
  step(
    `offer(${by}, server ${ref}, to ${to})`,
    async (model, system) => {
      const id = aServer(model, ref)
      const user = actor(by, model.servers.get(id)?.owner)
      const target = targetUser(user, to)
      const body = { token_id: system.servers[id] ?? NO_SERVER, user_id: userOf(system, target).id }
      const created = await expectStatus(model.offer(user, id, target), userOf(system, user), transfers.offer, { body })
      if (created.status === 200) system.offers.push((created.data as transfers.ServerTransfer).id)
    },
    needs('servers', ref),
  )

/** The sender cancels; the recipient declines or accepts. */
export const answer = (how: 'cancel' | 'decline' | 'accept', by: By, ref: number): Step =>
  step(
    `${how}(${by}, offer ${ref})`,
    async (model, system) => {
      const id = anOffer(model, ref)
      const existing = model.offers.get(id)
      const user = actor(by, how === 'cancel' ? existing?.from : existing?.to)
      const endpoint = how === 'accept' ? transfers.accept : transfers.cancel
      const expected = how === 'accept' ? model.accept(user, id) : model.cancel(user, id)
      await expectStatus(expected, userOf(system, user), endpoint, { params: { id: system.offers[id] ?? NO_ID } })
    },
    needs('offers', ref),
  )

/** Lets one offer expire. @param isProcessed whether the expiry job runs */
export const expire = (ref: number, isProcessed: boolean): Step =>
  step(
    `expire(offer ${ref}, ${isProcessed ? 'processed' : 'not processed'})`,
    async (model, system) => {
      const id = anOffer(model, ref)
      if (!model.offers.has(id)) return
      model.expire(id)
      const past = sql<Date>`now() - interval '1 second'`
      await system.app.db
        .updateTable('transfers')
        .set({ expires_at: past })
        .where('id', '=', system.offers[id] ?? NO_ID)
        .execute()
      if (isProcessed) await expireTransfers(system.app)
    },
    needs('offers', ref),
  )

export const grant = (user: number, to: number, permissions: Permission[]): Step =>
  step(`grant(${user}, to ${to}, ${permissions.join('+')})`, async (model, system) => {
    const before = model.grantsCreated
    const target = targetUser(user, to)
    const body = { user_id: userOf(system, target).id, permissions }
    const granted = await expectStatus(model.grant(user, target, permissions), userOf(system, user), managers.grant, { body })
    if (model.grantsCreated > before) system.grants.push((granted.data as { id: string }).id)
  })

export const revoke = (by: By, ref: number, from: number): Step =>
  step(
    `revoke(${by}, grant ${ref}, from ${from})`,
    async (model, system) => {
      const existing = by === 'right' ? model.grants.get(aGrant(model, ref)) : undefined
      const [user, target] = [actor(by, existing?.owner), existing?.manager ?? from]
      const body = { user_id: userOf(system, target).id }
      await expectStatus(model.revoke(user, target), userOf(system, user), managers.revoke, { body })
    },
    needs('grants', ref),
  )

export const resign = (by: By, ref: number): Step =>
  step(
    `resign(${by}, grant ${ref})`,
    async (model, system) => {
      const id = aGrant(model, ref)
      const user = actor(by, model.grants.get(id)?.manager)
      await expectStatus(model.resign(user, id), userOf(system, user), managers.resign, { params: { id: system.grants[id] ?? NO_ID } })
    },
    needs('grants', ref),
  )

export const ban = (user: number, banned: boolean): Step =>
  step(`${banned ? 'ban' : 'unban'}(${user})`, async (model, system) => {
    await expectStatus(model.ban(user, banned), system.admin, banUser, { params: { id: userOf(system, user).id }, body: { banned } })
  })

export const limit = (user: number, maxServers: number | null, maxManagers: number | null): Step =>
  step(`limit(${user}, ${maxServers} servers, ${maxManagers} managers)`, async (model, system) => {
    const body = { max_masterlist_tokens: maxServers, max_managers: maxManagers }
    await expectStatus(model.setLimits(user, maxServers, maxManagers), system.admin, changeLimits, {
      params: { id: userOf(system, user).id },
      body,
    })
  })

export const force = (user: number, tier: 'BRONZE' | 'RUBY' | null): Step =>
  step(`force(${user}, ${tier})`, async (model, system) => {
    const params = { id: userOf(system, user).id }
    await expectStatus(model.force(user, tier), system.admin, forceTier, { params, body: { tier_id: tier } })
  })

export const requestDeletion = (user: number): Step =>
  step(`requestDeletion(${user})`, async (model, system) => {
    await expectStatus(model.requestDeletion(user), userOf(system, user), account.requestDeletion)
  })

export const cancelDeletion = (user: number): Step =>
  step(`cancelDeletion(${user})`, async (model, system) => {
    await expectStatus(model.cancelDeletion(user), userOf(system, user), account.cancelDeletion)
  })

/** The user's deletion is due; a ban delays it. */
export const erase = (user: number): Step =>
  step(`erase(${user})`, async (model, system) => {
    const { leaving, banned, gone } = model.userAt(user)
    if (!leaving || banned || gone) return
    model.erase(user)
    const { id } = userOf(system, user)
    const { db } = system.app
    await db
      .updateTable('users')
      .set({ delete_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    // The program's erasure job may hold the lock on the account, so retry.
    while ((await db.selectFrom('users').select('id').where('id', '=', id).execute()).length > 0) await eraseAccount(db, id)
  })

export const compare = (user: number): Step => step(`compare(${user})`, (model, system) => compareView(model, system, user))
