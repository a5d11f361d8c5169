/** Maps the model's users and numbers to the real program. */
import { sql } from 'kysely'
import type { Endpoint, CallArgs } from '#contract/api/endpoint.ts'
import { expect } from 'vitest'
import { newName } from '#tests/factories.ts'
import type { ApiResponse, TestUser, SignedInUser, TestApp } from '#tests/harness.ts'
import { Model } from './model.ts'

export const USER_COUNT = 4
/** The first users have a tier with benefits. */
const SUPPORTERS = 2

export interface System {
  readonly app: TestApp
  readonly admin: SignedInUser
  readonly users: readonly SignedInUser[]
  /** IDs of the model's servers, grants and offers, including deleted ones. */
  readonly servers: string[]
  readonly grants: string[]
  readonly offers: string[]
  /** Makes the names of this sequence unique. */
  readonly prefix: string
  /** The last activity row before the sequence. */
  readonly from: string
}

let count = 0

/** Signed-in users that no sequence uses. */
const idle: SignedInUser[] = []

export function userOf(system: System, user: number): SignedInUser {
  const found = system.users[user]
  if (found === undefined) throw new Error(`There is no user ${user}.`)
  return found
}

async function idleOrNewUser(app: TestApp): Promise<SignedInUser> {
  count += 1
  return idle.pop() ?? app.signIn(`actor${count}`)
}

/**
 * Prepares users without data and with small limits: two servers and one manager. Signing in is slow, so users of earlier sequences
 * are reset and used again unless they were erased.
 */
export async function startScene(app: TestApp, admin: SignedInUser): Promise<{ model: Model; real: System }> {
  const users = await Promise.all(Array.from({ length: USER_COUNT }, () => idleOrNewUser(app)))
  const ids = users.map(({ id }) => id)
  await clear(app, ids)
  const { rows } = await sql<{ from: string }>`select coalesce(max(id), 0)::text as from from activity`.execute(app.db)
  const model = new Model(
    users.map((_, index) => ({
      banned: false,
      leaving: false,
      gone: false,
      maxServers: 2,
      maxManagers: 1,
      isSupporter: index < SUPPORTERS,
      forced: null,
    })),
  )
  const system = { app, admin, users, servers: [], grants: [], offers: [], prefix: newName(), from: rows[0]?.from ?? '0' }
  return { model, real: system }
}

/** Route and status of every response in all sequences. */
export const seenResponses = new Set<string>()

/** Calls as this user and compares the response with the model's. */
export async function expectStatus<E extends Endpoint>(
  expected: number,
  user: TestUser,
  endpoint: E,
  args?: CallArgs<E>,
): Promise<ApiResponse<unknown>> {
  const response = await user.call(endpoint, args)
  expect(response.status, `${endpoint.route}: ${response.text}`).toBe(expected)
  seenResponses.add(`${endpoint.route} ${expected}`)
  return response
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
  await db.deleteFrom('all_servers').where('owner_id', 'in', ids).execute()
  // Vanity IDs contain the ID of the first user, who may have been in earlier sequences.
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

/** Returns the users that were not erased to the pool. */
export function endScene(model: Model, system: System): void {
  idle.push(...system.users.filter((_, user) => !model.userAt(user).gone))
}
