/**
 * Random sequences of user actions on servers, grants, offers and accounts. Each step is compared with a plain model of the
 * rules. `npm run test:system -- model --full` runs more (MUSTER_MODEL_RUNS). A failure prints its seed and the shortest failing sequence.
 */
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { expireTransfers } from '#backend/core/transfers/withdrawal.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { MAX_STEPS, STEPS } from './arbitraries.ts'
import { compareAll } from './compare.ts'
import { type System, startScene, seenResponses, endScene } from './system-under-test.ts'

/** Sequences in `npm run test:system`. */
const DEFAULT_RUNS = 150
const RUNS = Number(process.env.MUSTER_MODEL_RUNS ?? DEFAULT_RUNS)
const SEED = process.env.MUSTER_MODEL_SEED
/** A passing sequence takes 0.2 s. Finding the shortest failing one takes many runs. */
const TIMEOUT_MS = 300_000 + RUNS * 2000

let app: TestApp
let admin: System['admin']

beforeAll(async () => {
  app = await startApp({}, { pool: 10 })
  admin = await app.signIn('admin')
})

/** Responses that this many sequences always produce. If one is missing, the sequences cover too little. */
const EXPECTED_RESPONSES: Readonly<Record<string, readonly number[]>> = {
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

test('in random sequences, every response and every view of a user match the model', { timeout: TIMEOUT_MS }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(STEPS, { maxCommands: MAX_STEPS, size: 'max' }), async (sequence) => {
      const scene = await startScene(app, admin)
      await fc.asyncModelRun(() => scene, sequence)
      await expireTransfers(app)
      await compareAll(scene.model, scene.real)
      endScene(scene.model, scene.real)
    }),
    { numRuns: RUNS, verbose: fc.VerbosityLevel.None, ...(SEED !== undefined && { seed: Number(SEED) }) },
  )
  if (RUNS < DEFAULT_RUNS) return
  const missing = Object.entries(EXPECTED_RESPONSES).flatMap(([route, all]) =>
    all.map((status) => `${route} ${status}`).filter((one) => !seenResponses.has(one)),
  )
  expect(missing).toEqual([])
})
