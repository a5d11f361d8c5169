/**
 * Random sequences of what people do with servers, grants, offers and accounts, through HTTP, each step compared with a plain model of
 * the rules. `npm run test:system -- model --full` runs many more (MUSTER_MODEL_RUNS); a failure prints its seed and the shortest sequence that shows it.
 */
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { lapseTransfers } from '#backend/features/transfers/withdrawal.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { LONGEST, STEPS } from './arbitraries.ts'
import { compareAll } from './compare.ts'
import { type System, startScene, seenResponses, endScene } from './system-under-test.ts'

/** `npm test` runs so many. */
const ENOUGH = 150
const RUNS = Number(process.env.MUSTER_MODEL_RUNS ?? ENOUGH)
const SEED = process.env.MUSTER_MODEL_SEED
/** Where nothing fails a sequence takes a fifth of a second; where something does, finding the shortest takes many. */
const PATIENCE_MS = 300_000 + RUNS * 2000

let app: TestApp
let admin: System['admin']

beforeAll(async () => {
  app = await startApp({}, { pool: 10 })
  admin = await app.signIn('admin')
})

/** What so many sequences meet again and again; where one is missing, they are poor and prove little. */
const MUST_MEET: Readonly<Record<string, readonly number[]>> = {
  'POST /api/users/tokens': [200, 403, 409],
  'PATCH /api/users/tokens/{id}': [200, 403, 404],
  'DELETE /api/users/tokens/{id}': [204, 404],
  'POST /api/users/tokens/transfers/create': [200, 400, 403, 404, 409],
  'POST /api/users/tokens/transfers/{id}/accept': [204, 403, 404],
  'POST /api/users/tokens/transfers/{id}/cancel': [204, 404],
  'POST /api/users/management': [200, 400, 403],
  'DELETE /api/users/management': [204, 404],
  'DELETE /api/users/management/self/{id}': [204, 404],
  'PATCH /api/users/management/{ownerId}/tokens/{serverId}': [200, 403, 404],
  'POST /api/auth/me/delete': [200, 403],
  'POST /api/auth/me/delete/cancel': [204],
}

test(
  'whatever users do in whatever order, every user gets the answers and sees the state of the model',
  { timeout: PATIENCE_MS },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.commands(STEPS, { maxCommands: LONGEST, size: 'max' }), async (sequence) => {
        const scene = await startScene(app, admin)
        await fc.asyncModelRun(() => scene, sequence)
        await lapseTransfers(app)
        await compareAll(scene.model, scene.real)
        endScene(scene.model, scene.real)
      }),
      { numRuns: RUNS, verbose: fc.VerbosityLevel.None, ...(SEED !== undefined && { seed: Number(SEED) }) },
    )
    if (RUNS < ENOUGH) return
    const missed = Object.entries(MUST_MEET).flatMap(([route, all]) =>
      all.map((status) => `${route} ${status}`).filter((one) => !seenResponses.has(one)),
    )
    expect(missed).toEqual([])
  },
)
