/** The reconciler: after a gap, a node lags until a later comparison succeeds. */
import { expect, test } from 'vitest'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import { createLog } from '#backend/platform/log.ts'
import { buildServer } from '#tests/factories.ts'
import { startApp } from '#tests/harness.ts'
import { Reconciler } from './reconciler.ts'

test('the node lags from three seconds after a gap until a later comparison succeeds', async () => {
  const app = await startApp()
  // The registry doesn't know this server, so each comparison reloads it.
  await buildServer(await app.newUser())
  const at = { uptime: 0, now: 1_800_000_000_000 }
  const clock = { uptime: () => at.uptime, now: () => at.now + at.uptime }
  const reads: PromiseWithResolvers<void>[] = []
  const reconciler = new Reconciler({
    deps: { db: app.db, env: app.env, clock, log: createLog('silent') },
    registry: { all: () => [], get: () => undefined, unsaved: new Set() } as unknown as Registry,
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
      reconciler.onCycle({ ...at })
      reconciler.lag.onCycle()
    }
  }
  const isLagging = () => {
    reconciler.lag.onCycle()
    return reconciler.lag.isLagging
  }
  reconciler.follow()
  run(10_000)
  expect(isLagging()).toBe(false)
  await reconciler.onGap('publisher_lost')
  run(2500)
  expect(isLagging()).toBe(false)
  run(1000)
  expect(isLagging()).toBe(true)
  await expect.poll(() => reads.length).toBe(1)
  // The running comparison may not include changes missed from now on.
  await reconciler.onGap('publisher_lost')
  reads[0]?.resolve()
  const expectReads = async (count: number) => {
    const readCount = () => {
      run(5000)
      expect(isLagging()).toBe(true)
      return reads.length
    }
    await expect.poll(readCount).toBe(count)
  }
  await expectReads(2)
  reads[1]?.reject(new Error('Not now.'))
  await expectReads(3)
  reads[2]?.resolve()
  await expect.poll(isLagging).toBe(false)
})
