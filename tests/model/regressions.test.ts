/** Sequences that are worth walking every time: those that found a mistake once, and those that random ones meet seldom. */
import fc from 'fast-check'
import { beforeAll, test } from 'vitest'
import { lapseTransfers } from '#backend/features/transfers/withdrawal.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { compareAll } from './compare.ts'
import { type System, startScene, endScene } from './system-under-test.ts'
import * as steps from './steps.ts'

let app: TestApp
let admin: System['admin']

beforeAll(async () => {
  app = await startApp({}, { pool: 10 })
  admin = await app.signIn('admin')
})

/** Person 0 has a server and offers it to person 1. */
const OFFERED = [steps.create(0, 'North'), steps.offer('right', 0, 0)]

// oxlint-disable-next-line vitest/expect-expect -- the steps and the comparison expect
test.each<[string, steps.Step[]]>([
  ['an offer that lapsed unseen is written down when its server is deleted', [...OFFERED, steps.lapse(0, false), steps.remove('right', 0)]],
  [
    'an offer that lapsed unseen is not called cancelled when its sender is banned',
    [...OFFERED, steps.lapse(0, false), steps.ban(0, true)],
  ],
  [
    'an offer that lapsed unseen is not called cancelled when its recipient is erased',
    [...OFFERED, steps.lapse(0, false), steps.leave(1), steps.erased(1)],
  ],
  ['an offer can be made again after one that lapsed unseen', [...OFFERED, steps.lapse(0, false), steps.offer('right', 0, 1)]],
  ['nobody accepts at his limit', [...OFFERED, steps.limit(1, 0, null), steps.answer('accept', 'right', 0)]],
  [
    'of two promoted servers the one that comes gives way',
    [
      steps.create(0, 'North'),
      steps.change('right', 0, { field: 'promoted', value: true }),
      steps.create(1, 'South'),
      steps.change('right', 1, { field: 'promoted', value: true }),
      steps.offer('right', 0, 0),
      steps.answer('accept', 'right', 0),
    ],
  ],
  [
    'a server that is leaving with its owner can still be accepted',
    [...OFFERED, steps.leave(0), steps.answer('accept', 'right', 0), steps.erased(0)],
  ],
])('%s', async (_, sequence) => {
  const scene = await startScene(app, admin)
  await fc.asyncModelRun(() => scene, sequence)
  await lapseTransfers(app)
  await compareAll(scene.model, scene.real)
  endScene(scene.model, scene.real)
})
