import { expect, onTestFinished, test } from 'vitest'
import { HEALTHY } from '#tests/healthy-database.ts'
import { systemClock } from '#backend/platform/clock.ts'
import { connect } from '#backend/platform/database/open.ts'
import { createLog } from '#backend/platform/log.ts'
import { newDatabase } from '#tests/harness.ts'
import { localBus } from './bus.ts'
import { Lease } from './leases.ts'

test.for(['uptime', 'now'] as const)('a lease ends when either clock reaches its end (%s)', async (jumping) => {
  const log = createLog('silent')
  const db = connect(await newDatabase(), log, 1)
  const ahead = { uptime: 0, now: 0 }
  const clock = { uptime: () => systemClock.uptime() + ahead.uptime, now: () => systemClock.now() + ahead.now }
  const bus = { ...localBus('00000000-0000-4000-8000-000000000001'), isSingleNode: false }
  const lease = new Lease({ db, clock, log, bus, databaseHealth: HEALTHY }, 'jobs')
  onTestFinished(async () => {
    await lease.close()
    await db.destroy()
  })
  await lease.start()
  expect(lease.isHeld).toBe(true)
  ahead[jumping] += 12_000
  expect(lease.isHeld).toBe(false)
})
