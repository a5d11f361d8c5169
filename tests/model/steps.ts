/**
 * The steps of a sequence. Each gets the expected result from the model, makes the call and compares. Targets are numbers, resolved at
 * run time, so any part of a sequence is valid and failures shrink well.
 */
import type fc from 'fast-check'
import { sql } from 'kysely'
import * as account from '#contract/account.ts'
import * as managers from '#contract/managers.ts'
import type { Permission } from '#contract/permissions.ts'
import * as servers from '#contract/servers.ts'
import * as transfers from '#contract/transfers.ts'
import { banUser, changeLimits, forceTier } from '#contract/users-admin.ts'
import { erase } from '#backend/features/account/erasure.ts'
import { expireTransfers } from '#backend/features/transfers/withdrawal.ts'
import { compareView } from './compare.ts'
import type { Model } from './model.ts'
import { PEOPLE, type System, expectStatus, personOf } from './system-under-test.ts'
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
const needs = (what: 'servers' | 'offers' | 'grants', ref: number) => (model: Readonly<Model>) =>
  model[what].size > 0 || isMissingTarget(ref)

function pick(there: readonly number[], made: number, ref: number): number {
  if (!isMissingTarget(ref) && there.length > 0) return there[ref % there.length] ?? 0
  return made === 0 ? 0 : ref % made
}

const NO_SERVER = '0000000'
const NOTHING = '00000000-0000-7000-8000-000000000000'

const aServer = (model: Model, ref: number) => pick([...model.servers.keys()], model.serversMade, ref)
const anOffer = (model: Model, ref: number) => pick([...model.offers.keys()], model.offersMade, ref)
const aGrant = (model: Model, ref: number) => pick([...model.grants.keys()], model.grantsMade, ref)

/** Mostly another user, relative to `who`; 7 is the user themselves. */
const towards = (who: number, to: number) => (to === 7 ? who : (who + 1 + (to % (PEOPLE - 1))) % PEOPLE)

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

const vanityOf = (system: System, word: string) => `${word}-${personOf(system, 0).id.slice(-12)}`

export const create = (who: number, word: string): Step =>
  step(`create(${who}, ${word})`, async (model, system) => {
    const name = fullName(system, word)
    const made = await expectStatus(model.create(who, name), personOf(system, who), servers.create, { body: { name } })
    if (made.status === 200) system.servers.push((made.data as servers.ServerWithCredential).public_id)
  })

export const change = (by: By, ref: number, what: Change): Step =>
  step(
    `change(${by}, server ${ref}, ${what.field} = ${String(what.value)})`,
    async (model, system) => {
      const id = aServer(model, ref)
      const who = actor(by, model.servers.get(id)?.owner)
      const full = completeChange(system, what)
      const body = what.field === 'name' ? bodyOf(system, what) : bodyOf(system, full)
      await expectStatus(model.change(who, id, full), personOf(system, who), servers.change, {
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
  const grant = model.grants.get(pick(usableGrants(model), model.grantsMade, ref))
  const owner = grant?.owner ?? ref % PEOPLE
  const owned = model.ownedBy(owner).map(([id]) => id)
  const id = owned[ref % Math.max(1, owned.length)] ?? aServer(model, ref)
  const who = actor(by, grant?.manager)
  return { who, owner, id, params: { ownerId: personOf(system, owner).id, serverId: system.servers[id] ?? NO_SERVER } }
}

export const changeManaged = (by: By, ref: number, what: Change): Step =>
  step(
    `changeManaged(${by}, grant ${ref}, ${what.field} = ${String(what.value)})`,
    async (model, system) => {
      const { who, owner, id, params } = managedTarget(model, system, by, ref)
      const full = completeChange(system, what)
      const body = what.field === 'name' ? bodyOf(system, what) : bodyOf(system, full)
      await expectStatus(model.changeManaged(who, owner, id, full), personOf(system, who), managers.changeManaged, { params, body })
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
        const who = actor(by, model.servers.get(id)?.owner)
        const endpoint = what === 'reissue' ? servers.reissue : servers.resetAddress
        await expectStatus(model[what](who, id), personOf(system, who), endpoint, { params: { id: system.servers[id] ?? NO_SERVER } })
        return
      }
      const { who, owner, id, params } = managedTarget(model, system, by, ref)
      const endpoint = what === 'reissue' ? managers.reissueManaged : managers.resetManagedAddress
      await expectStatus(model[what](who, id, owner), personOf(system, who), endpoint, { params })
    },
    as === 'owner' ? needs('servers', ref) : needsUsableGrant(ref),
  )

export const remove = (by: By, ref: number): Step =>
  step(
    `remove(${by}, server ${ref})`,
    async (model, system) => {
      const id = aServer(model, ref)
      const who = actor(by, model.servers.get(id)?.owner)
      await expectStatus(model.remove(who, id), personOf(system, who), servers.remove, { params: { id: system.servers[id] ?? NO_SERVER } })
    },
    needs('servers', ref),
  )

export const offer = (by: By, ref: number, to: number): Step =>
  step(
    `offer(${by}, server ${ref}, to ${to})`,
    async (model, system) => {
      const id = aServer(model, ref)
      const who = actor(by, model.servers.get(id)?.owner)
      const target = towards(who, to)
      const body = { token_id: system.servers[id] ?? NO_SERVER, user_id: personOf(system, target).id }
      const made = await expectStatus(model.offer(who, id, target), personOf(system, who), transfers.offer, { body })
      if (made.status === 200) system.offers.push((made.data as transfers.ServerTransfer).id)
    },
    needs('servers', ref),
  )

/** The sender cancels; the recipient declines or accepts. */
export const answer = (how: 'cancel' | 'decline' | 'accept', by: By, ref: number): Step =>
  step(
    `${how}(${by}, offer ${ref})`,
    async (model, system) => {
      const id = anOffer(model, ref)
      const there = model.offers.get(id)
      const who = actor(by, how === 'cancel' ? there?.from : there?.to)
      const endpoint = how === 'accept' ? transfers.accept : transfers.cancel
      const expected = how === 'accept' ? model.accept(who, id) : model.cancel(who, id)
      await expectStatus(expected, personOf(system, who), endpoint, { params: { id: system.offers[id] ?? NOTHING } })
    },
    needs('offers', ref),
  )

/** Lets one offer expire. @param isProcessed whether the expiry job runs */
export const lapse = (ref: number, isProcessed: boolean): Step =>
  step(
    `lapse(offer ${ref}, ${isProcessed ? 'processed' : 'not processed'})`,
    async (model, system) => {
      const id = anOffer(model, ref)
      if (!model.offers.has(id)) return
      model.lapse(id)
      const past = sql<Date>`now() - interval '1 second'`
      await system.app.db
        .updateTable('transfers')
        .set({ expires_at: past })
        .where('id', '=', system.offers[id] ?? NOTHING)
        .execute()
      if (isProcessed) await expireTransfers(system.app)
    },
    needs('offers', ref),
  )

export const grant = (who: number, to: number, permissions: Permission[]): Step =>
  step(`grant(${who}, to ${to}, ${permissions.join('+')})`, async (model, system) => {
    const before = model.grantsMade
    const target = towards(who, to)
    const body = { user_id: personOf(system, target).id, permissions }
    const given = await expectStatus(model.grant(who, target, permissions), personOf(system, who), managers.grant, { body })
    if (model.grantsMade > before) system.grants.push((given.data as { id: string }).id)
  })

export const revoke = (by: By, ref: number, from: number): Step =>
  step(
    `revoke(${by}, grant ${ref}, from ${from})`,
    async (model, system) => {
      const there = by === 'right' ? model.grants.get(aGrant(model, ref)) : undefined
      const [who, target] = [actor(by, there?.owner), there?.manager ?? from]
      const body = { user_id: personOf(system, target).id }
      await expectStatus(model.revoke(who, target), personOf(system, who), managers.revoke, { body })
    },
    needs('grants', ref),
  )

export const resign = (by: By, ref: number): Step =>
  step(
    `resign(${by}, grant ${ref})`,
    async (model, system) => {
      const id = aGrant(model, ref)
      const who = actor(by, model.grants.get(id)?.manager)
      await expectStatus(model.resign(who, id), personOf(system, who), managers.resign, { params: { id: system.grants[id] ?? NOTHING } })
    },
    needs('grants', ref),
  )

export const ban = (who: number, banned: boolean): Step =>
  step(`${banned ? 'ban' : 'unban'}(${who})`, async (model, system) => {
    await expectStatus(model.ban(who, banned), system.admin, banUser, { params: { id: personOf(system, who).id }, body: { banned } })
  })

export const limit = (who: number, maxServers: number | null, maxManagers: number | null): Step =>
  step(`limit(${who}, ${maxServers} servers, ${maxManagers} managers)`, async (model, system) => {
    const body = { max_masterlist_tokens: maxServers, max_managers: maxManagers }
    await expectStatus(model.setLimits(who, maxServers, maxManagers), system.admin, changeLimits, {
      params: { id: personOf(system, who).id },
      body,
    })
  })

export const force = (who: number, tier: 'BRONZE' | 'RUBY' | null): Step =>
  step(`force(${who}, ${tier})`, async (model, system) => {
    const params = { id: personOf(system, who).id }
    await expectStatus(model.force(who, tier), system.admin, forceTier, { params, body: { tier_id: tier } })
  })

export const leave = (who: number): Step =>
  step(`leave(${who})`, async (model, system) => {
    await expectStatus(model.leave(who), personOf(system, who), account.requestDeletion)
  })

export const stay = (who: number): Step =>
  step(`stay(${who})`, async (model, system) => {
    await expectStatus(model.stay(who), personOf(system, who), account.cancelDeletion)
  })

/** The user's deletion is due; a ban delays it. */
export const erased = (who: number): Step =>
  step(`erased(${who})`, async (model, system) => {
    const { leaving, banned, gone } = model.person(who)
    if (!leaving || banned || gone) return
    model.erase(who)
    const { id } = personOf(system, who)
    const { db } = system.app
    await db
      .updateTable('users')
      .set({ delete_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    // The program's erasure job may hold the lock on the account, so retry.
    while ((await db.selectFrom('users').select('id').where('id', '=', id).execute()).length > 0) await erase(db, id)
  })

export const look = (who: number): Step => step(`look(${who})`, (model, system) => compareView(model, system, who))
