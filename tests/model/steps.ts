/**
 * What people do, one step at a time: each asks the model what must come of it, does it, and compares. A step names its things by
 * numbers that are looked up when it runs, so that any part of a sequence is a sequence too and a failure shrinks to few steps.
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
import { lapseTransfers } from '#backend/features/transfers/withdrawal.ts'
import { compareView } from './compare.ts'
import type { Model } from './model.ts'
import { PEOPLE, type System, expectStatus, personOf } from './system-under-test.ts'
import type { Change } from './state.ts'

export type Step = fc.AsyncCommand<Model, System>

/** A user by number, or `right`: the permitted user. */
export type By = number | 'right'

const step = (text: string, run: (model: Model, real: System) => Promise<void>, check: Step['check'] = () => true): Step => ({
  check,
  run,
  toString: () => text,
})

/** Now and then a step is taken on what is gone, or never was. */
const isAstray = (ref: number) => ref % 6 === 5

/** A step on one of several things is left out where there is none. */
const needs = (what: 'servers' | 'offers' | 'grants', ref: number) => (model: Readonly<Model>) => model[what].size > 0 || isAstray(ref)

function pick(there: readonly number[], made: number, ref: number): number {
  if (!isAstray(ref) && there.length > 0) return there[ref % there.length] ?? 0
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

/** How a change is called over HTTP. */
function bodyOf(real: System, change: Change): servers.ServerChanges {
  if (change.field === 'vanity') return { vanity_url: change.value }
  return { [change.field]: change.field === 'name' ? fullName(real, change.value) : change.value }
}

const fullName = (real: System, word: string) => `${real.prefix} ${word}`

/** In the model's words, with what makes this sequence's names and vanity ids its own. */
function inFull(real: System, change: Change): Change {
  if (change.field === 'name') return { ...change, value: fullName(real, change.value) }
  if (change.field === 'vanity' && change.value !== null) return { ...change, value: vanityOf(real, change.value) }
  return change
}

const vanityOf = (real: System, word: string) => `${word}-${personOf(real, 0).id.slice(-12)}`

export const create = (who: number, word: string): Step =>
  step(`create(${who}, ${word})`, async (model, real) => {
    const name = fullName(real, word)
    const made = await expectStatus(model.create(who, name), personOf(real, who), servers.create, { body: { name } })
    if (made.status === 200) real.servers.push((made.data as servers.ServerWithCredential).public_id)
  })

export const change = (by: By, ref: number, what: Change): Step =>
  step(
    `change(${by}, server ${ref}, ${what.field} = ${String(what.value)})`,
    async (model, real) => {
      const id = aServer(model, ref)
      const who = actor(by, model.servers.get(id)?.owner)
      const full = inFull(real, what)
      const body = what.field === 'name' ? bodyOf(real, what) : bodyOf(real, full)
      await expectStatus(model.change(who, id, full), personOf(real, who), servers.change, {
        params: { id: real.servers[id] ?? NO_SERVER },
        body,
      })
    },
    needs('servers', ref),
  )

/** The grants of those who have servers. */
const fruitful = (model: Readonly<Model>) => [...model.grants].filter(([, { owner }]) => model.ownedBy(owner).length > 0).map(([id]) => id)
const needsFruitful = (ref: number) => (model: Readonly<Model>) => isAstray(ref) || fruitful(model).length > 0

/** A manager, the server, and its owner; if nobody manages, any user. */
function managing(model: Model, real: System, by: By, ref: number) {
  const grant = model.grants.get(pick(fruitful(model), model.grantsMade, ref))
  const owner = grant?.owner ?? ref % PEOPLE
  const owned = model.ownedBy(owner).map(([id]) => id)
  const id = owned[ref % Math.max(1, owned.length)] ?? aServer(model, ref)
  const who = actor(by, grant?.manager)
  return { who, owner, id, params: { ownerId: personOf(real, owner).id, serverId: real.servers[id] ?? NO_SERVER } }
}

export const changeManaged = (by: By, ref: number, what: Change): Step =>
  step(
    `changeManaged(${by}, grant ${ref}, ${what.field} = ${String(what.value)})`,
    async (model, real) => {
      const { who, owner, id, params } = managing(model, real, by, ref)
      const full = inFull(real, what)
      const body = what.field === 'name' ? bodyOf(real, what) : bodyOf(real, full)
      await expectStatus(model.changeManaged(who, owner, id, full), personOf(real, who), managers.changeManaged, { params, body })
    },
    needsFruitful(ref),
  )

/** The one or the other secret thing, by the owner or by a manager. */
export const renew = (what: 'reissue' | 'resetAddress', as: 'owner' | 'manager', by: By, ref: number): Step =>
  step(
    `${what} as ${as}(${by}, ${ref})`,
    async (model, real) => {
      if (as === 'owner') {
        const id = aServer(model, ref)
        const who = actor(by, model.servers.get(id)?.owner)
        const endpoint = what === 'reissue' ? servers.reissue : servers.resetAddress
        await expectStatus(model[what](who, id), personOf(real, who), endpoint, { params: { id: real.servers[id] ?? NO_SERVER } })
        return
      }
      const { who, owner, id, params } = managing(model, real, by, ref)
      const endpoint = what === 'reissue' ? managers.reissueManaged : managers.resetManagedAddress
      await expectStatus(model[what](who, id, owner), personOf(real, who), endpoint, { params })
    },
    as === 'owner' ? needs('servers', ref) : needsFruitful(ref),
  )

export const remove = (by: By, ref: number): Step =>
  step(
    `remove(${by}, server ${ref})`,
    async (model, real) => {
      const id = aServer(model, ref)
      const who = actor(by, model.servers.get(id)?.owner)
      await expectStatus(model.remove(who, id), personOf(real, who), servers.remove, { params: { id: real.servers[id] ?? NO_SERVER } })
    },
    needs('servers', ref),
  )

export const offer = (by: By, ref: number, to: number): Step =>
  step(
    `offer(${by}, server ${ref}, to ${to})`,
    async (model, real) => {
      const id = aServer(model, ref)
      const who = actor(by, model.servers.get(id)?.owner)
      const whom = towards(who, to)
      const body = { token_id: real.servers[id] ?? NO_SERVER, user_id: personOf(real, whom).id }
      const made = await expectStatus(model.offer(who, id, whom), personOf(real, who), transfers.offer, { body })
      if (made.status === 200) real.offers.push((made.data as transfers.ServerTransfer).id)
    },
    needs('servers', ref),
  )

/** `from` takes it back, `to` declines or accepts. */
export const answer = (how: 'cancel' | 'decline' | 'accept', by: By, ref: number): Step =>
  step(
    `${how}(${by}, offer ${ref})`,
    async (model, real) => {
      const id = anOffer(model, ref)
      const there = model.offers.get(id)
      const who = actor(by, how === 'cancel' ? there?.from : there?.to)
      const endpoint = how === 'accept' ? transfers.accept : transfers.cancel
      const expected = how === 'accept' ? model.accept(who, id) : model.cancel(who, id)
      await expectStatus(expected, personOf(real, who), endpoint, { params: { id: real.offers[id] ?? NOTHING } })
    },
    needs('offers', ref),
  )

/** Seven days pass for one offer. @param isSwept whether the task that looks for such offers has come by. */
export const lapse = (ref: number, isSwept: boolean): Step =>
  step(
    `lapse(offer ${ref}, ${isSwept ? 'swept' : 'not swept'})`,
    async (model, real) => {
      const id = anOffer(model, ref)
      if (!model.offers.has(id)) return
      model.lapse(id)
      const past = sql<Date>`now() - interval '1 second'`
      await real.app.db
        .updateTable('transfers')
        .set({ expires_at: past })
        .where('id', '=', real.offers[id] ?? NOTHING)
        .execute()
      if (isSwept) await lapseTransfers(real.app)
    },
    needs('offers', ref),
  )

export const grant = (who: number, to: number, permissions: Permission[]): Step =>
  step(`grant(${who}, to ${to}, ${permissions.join('+')})`, async (model, real) => {
    const before = model.grantsMade
    const whom = towards(who, to)
    const body = { user_id: personOf(real, whom).id, permissions }
    const given = await expectStatus(model.grant(who, whom, permissions), personOf(real, who), managers.grant, { body })
    if (model.grantsMade > before) real.grants.push((given.data as { id: string }).id)
  })

export const revoke = (by: By, ref: number, from: number): Step =>
  step(
    `revoke(${by}, grant ${ref}, from ${from})`,
    async (model, real) => {
      const there = by === 'right' ? model.grants.get(aGrant(model, ref)) : undefined
      const [who, whom] = [actor(by, there?.owner), there?.manager ?? from]
      const body = { user_id: personOf(real, whom).id }
      await expectStatus(model.revoke(who, whom), personOf(real, who), managers.revoke, { body })
    },
    needs('grants', ref),
  )

export const resign = (by: By, ref: number): Step =>
  step(
    `resign(${by}, grant ${ref})`,
    async (model, real) => {
      const id = aGrant(model, ref)
      const who = actor(by, model.grants.get(id)?.manager)
      await expectStatus(model.resign(who, id), personOf(real, who), managers.resign, { params: { id: real.grants[id] ?? NOTHING } })
    },
    needs('grants', ref),
  )

export const ban = (who: number, banned: boolean): Step =>
  step(`${banned ? 'ban' : 'unban'}(${who})`, async (model, real) => {
    await expectStatus(model.ban(who, banned), real.admin, banUser, { params: { id: personOf(real, who).id }, body: { banned } })
  })

export const limit = (who: number, maxServers: number | null, maxManagers: number | null): Step =>
  step(`limit(${who}, ${maxServers} servers, ${maxManagers} managers)`, async (model, real) => {
    const body = { max_masterlist_tokens: maxServers, max_managers: maxManagers }
    await expectStatus(model.setLimits(who, maxServers, maxManagers), real.admin, changeLimits, {
      params: { id: personOf(real, who).id },
      body,
    })
  })

export const force = (who: number, tier: 'BRONZE' | 'RUBY' | null): Step =>
  step(`force(${who}, ${tier})`, async (model, real) => {
    const params = { id: personOf(real, who).id }
    await expectStatus(model.force(who, tier), real.admin, forceTier, { params, body: { tier_id: tier } })
  })

export const leave = (who: number): Step =>
  step(`leave(${who})`, async (model, real) => {
    await expectStatus(model.leave(who), personOf(real, who), account.requestDeletion)
  })

export const stay = (who: number): Step =>
  step(`stay(${who})`, async (model, real) => {
    await expectStatus(model.stay(who), personOf(real, who), account.cancelDeletion)
  })

/** The user's deletion is due; a ban delays it. */
export const erased = (who: number): Step =>
  step(`erased(${who})`, async (model, real) => {
    const { leaving, banned, gone } = model.person(who)
    if (!leaving || banned || gone) return
    model.erase(who)
    const { id } = personOf(real, who)
    const { db } = real.app
    await db
      .updateTable('users')
      .set({ delete_at: sql<Date>`now()` })
      .where('id', '=', id)
      .execute()
    // The program's own task may have the account locked; this call then waits for it.
    while ((await db.selectFrom('users').select('id').where('id', '=', id).execute()).length > 0) await erase(db, id)
  })

export const look = (who: number): Step => step(`look(${who})`, (model, real) => compareView(model, real, who))
