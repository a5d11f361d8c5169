/** A slow database does not delay the list. `outage.system.test.ts` tests how changes are saved later. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildServer } from '#tests/factories.ts'
import { startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList } from '#tests/list/send.ts'

/** The announces take longer than a cycle and its maximum wait. Each cycle starts while the previous save runs. */
const SERVERS = 24
const PAUSE_MS = 100
const MAX_MS = 1000
/** Tolerance for a busy machine. */
const SLACK_MS = 500

test('while nothing can be saved, every change is on the list within a second', async () => {
  const app = await startApp()
  const owner = await fleetOwner(app)
  const fleet = await Promise.all(Array.from({ length: SERVERS }, () => buildServer(owner)))
  for (const { credential } of fleet) expect((await announceFrom(app, credential)).status).toBe(200)
  await expect.poll(async () => (await readList(app)).length).toBe(SERVERS)
  const announcedAt = new Map<string, number>()
  const ages = new Map<string, number>()
  const recordAges = async () => {
    for (const { publicId, playersCount } of await readList(app)) {
      const at = announcedAt.get(publicId)
      if (at !== undefined && playersCount === 41 && !ages.has(publicId)) ages.set(publicId, performance.now() - at)
    }
    return ages.size
  }
  await app.db.transaction().execute(async (trx) => {
    await sql`lock table presence in access exclusive mode`.execute(trx)
    const announceAll = async () => {
      for (const { credential, public_id: publicId } of fleet) {
        expect((await announceFrom(app, credential, { playersCount: 41 })).status).toBe(200)
        announcedAt.set(publicId, performance.now())
        await sleep(PAUSE_MS)
      }
    }
    const readUntilAllSeen = async () => {
      await expect.poll(recordAges, { interval: 10, timeout: 20_000 }).toBe(SERVERS)
    }
    await Promise.all([announceAll(), readUntilAllSeen()])
  })
  expect(Math.max(...ages.values())).toBeLessThan(MAX_MS + SLACK_MS)
  // Statements that waited for the lock timed out after three seconds.
  app.takeLogs()
})
