/** Fixed sequences: those that once found a bug, and cases that random sequences rarely reach. */
import fc from 'fast-check'
import { beforeAll, test } from 'vitest'
import { expireTransfers } from '#backend/core/transfers/withdrawal.ts'
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

/** User 0 offers a server to user 1. */
const OFFERED = [steps.create(0, 'North'), steps.offer('right', 0, 0)]

// oxlint-disable-next-line vitest/expect-expect -- the steps and the comparison expect
test.each<[string, steps.Step[]]>([
  [
    'an expired offer is recorded as expired when its server is deleted before the expiry job runs',
    [...OFFERED, steps.expire(0, false), steps.remove('right', 0)],
  ],
  [
    'an expired offer is recorded as expired, not cancelled, when its sender is banned before the expiry job runs',
    [...OFFERED, steps.expire(0, false), steps.ban(0, true)],
  ],
  [
    'an expired offer is recorded as expired, not cancelled, when its recipient is erased before the expiry job runs',
    [...OFFERED, steps.expire(0, false), steps.requestDeletion(1), steps.erase(1)],
  ],
  [
    'a server can be offered again before the expiry job has processed its expired offer',
    [...OFFERED, steps.expire(0, false), steps.offer('right', 0, 1)],
  ],
  ['a recipient at the server limit cannot accept an offer', [...OFFERED, steps.limit(1, 0, null), steps.answer('accept', 'right', 0)]],
  [
    'a promoted server loses its promotion when its new owner already has a promoted server',
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
    'a server can be accepted while its owner is scheduled for deletion',
    [...OFFERED, steps.requestDeletion(0), steps.answer('accept', 'right', 0), steps.erase(0)],
  ],
])('%s', async (_, sequence) => {
  const scene = await startScene(app, admin)
  await fc.asyncModelRun(() => scene, sequence)
  await expireTransfers(app)
  await compareAll(scene.model, scene.real)
  endScene(scene.model, scene.real)
})
