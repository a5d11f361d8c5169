/** Maps the model's users and numbers to the real program. */
import { sql } from 'kysely'
import type { Endpoint, CallArgs } from '#contract/endpoint.ts'
import { expect } from 'vitest'
import { newName } from '#tests/factories.ts'
import type { Answer, Person, SignedIn, TestApp } from '#tests/harness.ts'
import { Model } from './model.ts'

export const PEOPLE = 4
/** Of them so many hold the benefits of a tier. */
const SUPPORTERS = 2

export interface System {
  readonly app: TestApp
  readonly admin: SignedIn
  readonly people: readonly SignedIn[]
  /** The ids of the model's servers, grants and offers, those that are gone too. */
  readonly servers: string[]
  readonly grants: string[]
  readonly offers: string[]
  /** A prefix of names that no other user has. */
  readonly prefix: string
  /** The last row of what happened before. */
  readonly from: string
}

let count = 0

/** Signed in, and in no sequence now. */
const idle: SignedIn[] = []

export function personOf(real: System, who: number): SignedIn {
  const person = real.people[who]
  if (person === undefined) throw new Error(`There is no person ${who}.`)
  return person
}

async function idleOrNewUser(app: TestApp): Promise<SignedIn> {
  count += 1
  return idle.pop() ?? app.signIn(`actor${count}`)
}

/**
 * People who have nothing, with little room: two servers and one manager each. Signing in takes as long as all the steps of a sequence,
 * so those of the sequence before are taken again, whatever became of them, unless they were erased.
 */
export async function startScene(app: TestApp, admin: SignedIn): Promise<{ model: Model; real: System }> {
  const people = await Promise.all(Array.from({ length: PEOPLE }, () => idleOrNewUser(app)))
  const ids = people.map(({ id }) => id)
  await clear(app, ids)
  const { rows } = await sql<{ from: string }>`select coalesce(max(id), 0)::text as from from activity`.execute(app.db)
  const model = new Model(
    people.map((_, index) => ({
      banned: false,
      leaving: false,
      gone: false,
      maxServers: 2,
      maxManagers: 1,
      isSupporter: index < SUPPORTERS,
      forced: null,
    })),
  )
  const real = { app, admin, people, servers: [], grants: [], offers: [], prefix: newName(), from: rows[0]?.from ?? '0' }
  return { model, real }
}

/** Which calls were met with which answers, in all sequences. */
export const seenResponses = new Set<string>()

/** Calls as this user and compares the answer with the model's. */
export async function expectStatus<E extends Endpoint>(
  expected: number,
  person: Person,
  endpoint: E,
  args?: CallArgs<E>,
): Promise<Answer<unknown>> {
  const answer = await person.call(endpoint, args)
  expect(answer.status, `${endpoint.route}: ${answer.text}`).toBe(expected)
  seenResponses.add(`${endpoint.route} ${expected}`)
  return answer
}

async function clear({ db }: TestApp, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom('transfers')
    .where((q) => q.or([q('from_user_id', 'in', ids), q('to_user_id', 'in', ids)]))
    .execute()
  await db
    .deleteFrom('manager_grants')
    .where((q) => q.or([q('owner_id', 'in', ids), q('manager_id', 'in', ids)]))
    .execute()
  await db.deleteFrom('servers').where('owner_id', 'in', ids).execute()
  // A sequence's vanity IDs contain the name of its first user, who may have been in others.
  await db.deleteFrom('released_vanity_ids').execute()
  const supporters = ids.slice(0, SUPPORTERS)
  await db
    .updateTable('users')
    .set({
      max_servers: 2,
      max_managers: 1,
      banned: false,
      ban_reason: null,
      banned_at: null,
      delete_at: null,
      forced_tier: null,
      owned_tier: sql<string | null>`case when id = any(${supporters}::uuid[]) then 'RUBY' end`,
    })
    .where('id', 'in', ids)
    .execute()
}

/** Those who were not erased may be met again. */
export function endScene(model: Model, real: System): void {
  idle.push(...real.people.filter((_, who) => !model.person(who).gone))
}
