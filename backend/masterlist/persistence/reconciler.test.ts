import { expect, test } from 'vitest'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import { UnsavedServers } from '#backend/masterlist/registry/unsaved-servers.ts'
import { createLog } from '#backend/platform/log.ts'
import { buildServer } from '#tests/factories.ts'
import { startApp } from '#tests/harness.ts'
import { Reconciler } from './reconciler.ts'

test('what others may have left unsaid is late three seconds after it was missed, until a comparison that began later has succeeded', async () => {
  const app = await startApp()
  // Nothing is known of it here: each comparison reads it.
  await buildServer(await app.someone())
  const at = { uptime: 0, now: 1_800_000_000_000 }
  const clock = { uptime: () => at.uptime, now: () => at.now + at.uptime }
  const reads: PromiseWithResolvers<void>[] = []
  const catchingUp = new Reconciler({
    deps: { db: app.db, env: app.env, clock, log: createLog('silent') },
    registry: { all: () => [], get: () => undefined, unsaved: new UnsavedServers() } as unknown as Registry,
    refresh: () => {
      const read = Promise.withResolvers<void>()
      reads.push(read)
      return read.promise
    },
    mergeRows: () => Promise.resolve(),
  })
  const run = (ms: number) => {
    for (const end = at.uptime + ms; at.uptime < end;) {
      at.uptime += 250
      catchingUp.onCycle({ ...at })
      catchingUp.lag.isLagging()
    }
  }
  const isLate = () => catchingUp.lag.isLagging()
  catchingUp.follow()
  run(10_000)
  expect(isLate()).toBe(false)
  await catchingUp.onGap('publisher_lost')
  run(2500)
  expect(isLate()).toBe(false)
  run(1000)
  expect(isLate()).toBe(true)
  await expect.poll(() => reads.length).toBe(1)
  // What is missed from now on the one that is under way may not see.
  await catchingUp.onGap('publisher_lost')
  reads[0]?.resolve()
  const begins = async (count: number) => {
    const begun = () => {
      run(5000)
      expect(isLate()).toBe(true)
      return reads.length
    }
    await expect.poll(begun).toBe(count)
  }
  await begins(2)
  reads[1]?.reject(new Error('Not now.'))
  await begins(3)
  reads[2]?.resolve()
  await expect.poll(isLate).toBe(false)
})
