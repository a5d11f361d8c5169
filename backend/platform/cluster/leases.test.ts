/** Leases expire by the uptime and by the wall clock. */
import { expect, onTestFinished, test } from 'vitest'
import { HEALTHY } from '#tests/healthy-database.ts'
import { systemClock } from '#backend/platform/clock.ts'
import { connect } from '#backend/platform/database/open.ts'
import { createLog } from '#backend/platform/log.ts'
import { newDatabase } from '#tests/harness.ts'
import { localBus } from './bus.ts'
import { Lease } from './leases.ts'

test.for(['uptime', 'now'] as const)('a lease is lost once either clock passes its expiry (%s)', async (clockName) => {
  const log = createLog('silent')
  const db = connect(await newDatabase(), log, 1)
  const offset = { uptime: 0, now: 0 }
  const clock = { uptime: () => systemClock.uptime() + offset.uptime, now: () => systemClock.now() + offset.now }
  const bus = { ...localBus('00000000-0000-4000-8000-000000000001'), isSingleNode: false }
  const lease = new Lease({ db, clock, log, bus, databaseHealth: HEALTHY }, 'jobs')
  onTestFinished(async () => {
    await lease.close()
    await db.destroy()
  })
  await lease.start()
  expect([lease.isHeld, lease.term]).toEqual([true, 1])
  offset[clockName] += 12_000
  expect(lease.isHeld).toBe(false)
  offset.uptime += 12_000
  await expect.poll(() => lease.term).toBe(2)
})
