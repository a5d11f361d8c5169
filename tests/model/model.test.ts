/**
 * Random sequences of what people do with servers, grants, offers and accounts, through HTTP, each step compared with a plain model of
 * the rules. `npm run test:model` runs many more (MUSTER_MODEL_RUNS); a failure prints its seed and the shortest sequence that shows it.
 */
import fc from 'fast-check'
import { beforeAll, test } from 'vitest'
import { PERMISSION_KEYS } from '#contract/permissions.ts'
import { lapseTransfers } from '#backend/features/transfers/transfers.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { compareAll } from './compare.ts'
import type { Change } from './model.ts'
import { PEOPLE, type Real, meet, part } from './real.ts'
import * as steps from './steps.ts'

const RUNS = Number(process.env.MUSTER_MODEL_RUNS ?? 300)
const SEED = process.env.MUSTER_MODEL_SEED
const LONGEST = 30
/** Where nothing fails a sequence takes a fifth of a second; where something does, finding the shortest takes many. */
const PATIENCE_MS = 300_000 + RUNS * 2000

let app: TestApp
let admin: Real['admin']

beforeAll(async () => {
  app = await startApp({}, { pool: 10 })
  admin = await app.signIn('admin')
})

const who = fc.nat({ max: PEOPLE - 1 })
const ref = fc.nat({ max: 59 })
/** Mostly the one who may, else his rules are hardly met. */
const by = fc.oneof({ weight: 4, arbitrary: fc.constant('right' as const) }, { weight: 1, arbitrary: who })
// Two of them look alike.
const word = fc.constantFrom('North', 'NORTH', 'Nоrth', 'South', 'East', 'West', 'Up', 'Down')
const permissions = fc.subarray([...PERMISSION_KEYS], { minLength: 1 })
const most = fc.constantFrom(null, 0, 1, 2, 3)

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ field: fc.constant('name' as const), value: word }),
  fc.record({ field: fc.constant('description' as const), value: fc.constantFrom('', 'One', 'Two') }),
  fc.record({ field: fc.constant('promoted' as const), value: fc.boolean() }),
  fc.record({ field: fc.constant('vanity' as const), value: fc.constantFrom(null, 'left', 'right') }),
)

const renewal = fc.tuple(
  fc.constantFrom('reissue' as const, 'resetAddress' as const),
  fc.constantFrom('owner' as const, 'manager' as const),
  by,
  ref,
)

/** What makes something comes more often than what ends it. */
const STEPS: fc.Arbitrary<steps.Step>[] = [
  fc.tuple(who, word).map((args) => steps.create(...args)),
  fc.tuple(who, word).map((args) => steps.create(...args)),
  fc.tuple(by, ref, change).map((args) => steps.change(...args)),
  fc.tuple(who, who, permissions).map((args) => steps.grant(...args)),
  fc.tuple(who, who, permissions).map((args) => steps.grant(...args)),
  fc.tuple(by, ref, change).map((args) => steps.changeManaged(...args)),
  renewal.map((args) => steps.renew(...args)),
  fc.tuple(by, ref, who).map((args) => steps.offer(...args)),
  fc.tuple(by, ref, who).map((args) => steps.offer(...args)),
  fc
    .tuple(fc.constantFrom('cancel' as const, 'decline' as const, 'accept' as const, 'accept' as const), by, ref)
    .map((args) => steps.answer(...args)),
  fc.tuple(ref, fc.boolean()).map((args) => steps.lapse(...args)),
  fc.tuple(by, ref, who).map((args) => steps.revoke(...args)),
  fc.tuple(by, ref).map((args) => steps.refuse(...args)),
  fc.tuple(by, ref).map((args) => steps.remove(...args)),
  fc.tuple(who, fc.boolean()).map((args) => steps.ban(...args)),
  fc.tuple(who, most, most).map((args) => steps.limit(...args)),
  who.map(steps.leave),
  fc.tuple(who, fc.boolean()).map(([person, isOver]) => (isOver ? steps.erased(person) : steps.stay(person))),
  who.map(steps.look),
]

// oxlint-disable-next-line vitest/expect-expect -- the steps and the comparisons expect
test('whatever people do in whatever order, everybody is answered and sees what the rules say', { timeout: PATIENCE_MS }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(STEPS, { maxCommands: LONGEST, size: 'max' }), async (sequence) => {
      const scene = await meet(app, admin)
      await fc.asyncModelRun(() => scene, sequence)
      await lapseTransfers(app.db)
      await compareAll(scene.model, scene.real)
      part(scene.model, scene.real)
    }),
    { numRuns: RUNS, verbose: fc.VerbosityLevel.None, ...(SEED !== undefined && { seed: Number(SEED) }) },
  )
})
