/**
 * A race is a number of rounds. A round is a setup, calls fired at once over real connections, and assertions.
 * No call may return a 5xx, and nothing may be logged at warn or above (the harness checks the log).
 */
import { expect, test } from 'vitest'
import { type ApiResponse, type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'

/** How often each race is run, and how many calls are in flight at once; `npm run test:system -- races --full` runs 200 of 20. */
export const ROUNDS = Number(process.env.MUSTER_RACE_ROUNDS ?? 3)
export const WIDTH = Number(process.env.MUSTER_RACE_WIDTH ?? 20)

/** A round of the slowest race takes well under a second on an idle machine. */
const TIMEOUT_PER_ROUND_MS = 5000

export type { SignedInUser }

export interface Outcome {
  readonly status: number
  readonly text: string
  /** The reply out of its envelope. */
  readonly data: unknown
  /** Start and end of the call, in milliseconds of `performance.now()`. */
  readonly startedAt: number
  readonly endedAt: number
}

export type Call = () => Promise<Pick<ApiResponse<unknown>, 'status' | 'text' | 'data'>>

/** Starts the program with a database connection for every concurrent call. */
export const startRacing = (variables: Record<string, string> = {}): Promise<TestApp> => startApp(variables, { pool: 24 })

/** @param round runs once per round and throws if an assertion fails */
export function race(guarantee: string, round: (index: number) => Promise<void>): void {
  // oxlint-disable-next-line vitest/valid-title, vitest/expect-expect -- the title and what is expected come with the race
  test(guarantee, { timeout: 30_000 + ROUNDS * TIMEOUT_PER_ROUND_MS }, async () => {
    for (let index = 0; index < ROUNDS; index += 1) {
      try {
        await round(index)
      } catch (error) {
        if (error instanceof Error) error.message = `round ${index}: ${error.message}`
        throw error
      }
    }
  })
}

/** Fires the calls at once in random order, and returns the outcomes in the given order. A 5xx fails the test. */
export async function fire(calls: readonly Call[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  await Promise.all(
    shuffled([...calls.keys()]).map(async (index) => {
      outcomes[index] = await fireOne(calls[index])
    }),
  )
  return outcomes
}

/** Makes one call. A 5xx fails the test. */
export async function fireOne(call: Call | undefined): Promise<Outcome> {
  if (call === undefined) throw new Error('The call is missing.')
  const startedAt = performance.now()
  const { status, text, data } = await call()
  expect(status, text).toBeLessThan(500)
  return { status, text, data, startedAt, endedAt: performance.now() }
}

export function shuffled<T>(items: readonly T[]): T[] {
  const all = items.map((item) => ({ item, at: Math.random() }))
  return all.toSorted((a, b) => a.at - b.at).map(({ item }) => item)
}

/** Calls `make` with each number below `count`. */
export function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

export function succeeded(outcomes: readonly Outcome[]): number {
  return outcomes.filter(({ status }) => status < 300).length
}

export const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, Math.max(0, ms)))

let count = 0

/** A user without history. */
export function newUser(app: TestApp): Promise<SignedInUser> {
  count += 1
  return app.signIn(`racer${count}`)
}

export function newUsers(app: TestApp, howMany: number): Promise<SignedInUser[]> {
  return Promise.all(times(howMany, () => newUser(app)))
}

/** Activity rows per action, of one server or of all. */
export async function actionsOf(app: TestApp, where: { server?: string; afterId?: string } = {}): Promise<Record<string, number>> {
  const rows = await activityRows(app, where)
  const counted: Record<string, number> = {}
  for (const { action } of rows) counted[action] = (counted[action] ?? 0) + 1
  return counted
}

export function activityRows(app: TestApp, { server, afterId = '0' }: { server?: string; afterId?: string } = {}) {
  const all = app.db.selectFrom('activity').selectAll().where('id', '>', afterId).orderBy('id')
  return (server === undefined ? all : all.where('server_id', '=', server)).execute()
}

/** The newest activity so far: later rows belong to this round. */
export async function lastActivity(app: TestApp): Promise<string> {
  const row = await app.db
    .selectFrom('activity')
    .select((q) => q.fn.max('id').as('id'))
    .executeTakeFirst()
  return String(row?.id ?? 0)
}
