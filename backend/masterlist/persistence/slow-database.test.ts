/** A database that takes its time is no reason for an old list. What becomes of the changes themselves: `outage.test.ts`. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { buildServer } from '#tests/factories.ts'
import { startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList } from '#tests/list/send.ts'

/** They follow each other for longer than a beat of the list and its patience, so that each beat finds the save of the one before under way. */
const SERVERS = 24
const PAUSE_MS = 100
const MAX_MS = 1000
/** What a busy machine may add. */
const SLACK_MS = 500

test('while nothing can be saved, every change is in the list a second after it was announced', async () => {
  const app = await startApp()
  const owner = await fleetOwner(app)
  const fleet = await Promise.all(Array.from({ length: SERVERS }, () => buildServer(owner)))
  for (const { credential } of fleet) expect((await announceFrom(app, credential)).status).toBe(200)
  await expect.poll(async () => (await readList(app)).length).toBe(SERVERS)
  const announcedAt = new Map<string, number>()
  const ages = new Map<string, number>()
  const look = async () => {
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
    const lookOn = async () => {
      await expect.poll(look, { interval: 10, timeout: 20_000 }).toBe(SERVERS)
    }
    await Promise.all([announceAll(), lookOn()])
  })
  expect(Math.max(...ages.values())).toBeLessThan(MAX_MS + SLACK_MS)
  // That what waited for the lock was given up after three seconds.
  app.takeLogs()
})
