/** The player history over HTTP, for owners, administrators and launchers. */
import { beforeAll, describe, expect, test } from 'vitest'
import * as history from '#contract/history.ts'
import { buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { peakOf, seedHistory } from '#tests/seed-history.ts'
import { send } from '#tests/list/send.ts'

let app: TestApp
let admin: SignedInUser

beforeAll(async () => {
  app = await startApp()
  admin = await app.signIn('admin')
})

async function ownServer() {
  const owner = await app.newUser()
  return { owner, ...(await buildServer(owner)) }
}

describe('a year of history', () => {
  test('has the steps, peak and uptime of every range, and points for launchers', async () => {
    const { owner, public_id } = await ownServer()
    await seedHistory(app, public_id)
    for (const [range, count] of [
      ['24h', 144],
      ['7d', 168],
      ['31d', 186],
      ['1y', 366],
    ] as const) {
      const { status, data, text } = await owner.call(history.ofServer, { params: { id: public_id }, query: { range } })
      expect(status, text).toBe(200)
      expect([data.average.length, data.highest.length, data.online.length]).toEqual([count, count, count])
      // The 15 offline minutes contain one whole step of ten minutes; another step may just have started.
      expect(data.average.filter((average) => average === null).length).toBeLessThanOrEqual(2)
      expect(data.peak?.players).toBe(peakOf(Date.parse(data.from), app.clock.now()))
      expect(data.uptime).toBeGreaterThan(98.5)
      expect(data.uptime).toBeLessThan(99.5)
      const list = await admin.call(history.ofList, { query: { range } })
      expect(list.data.players.highest).toEqual(data.highest.map((highest) => highest ?? 0))
    }
    for (const range of ['1d', '7d', '31d']) {
      const points = JSON.parse((await send(`${app.listUrl}/servers/${public_id}/avg/${range}`)).text) as unknown[]
      expect(points.length).toBeGreaterThan(140)
    }
  })
})
