/** Servers trend by their players a week ago. */
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { OwnerFields } from '#backend/masterlist/registry/server-record.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { historyNode } from '#tests/history-node.ts'
import { HOUR_MS, MINUTE_MS, WEEK_MS } from './time.ts'
import { Trending } from './trending.ts'

let app: TestApp
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp()
  owner = await app.newUser()
})

describe('a server trends', () => {
  /** @param players in each minute online. */
  async function storeWeekAgo(hour: number, publicId: string, players: number, online: number): Promise<void> {
    const server = { public_id: publicId, owner_id: owner.id, name: publicId, name_key: publicId.toLowerCase() }
    await sql`insert into servers (public_id, owner_id, name, name_key) values (${sql.join(Object.values(server))})`.execute(app.db)
    if (online > 0)
      await app.db
        .insertInto('player_buckets')
        .values({
          server_id: publicId,
          bucket_minutes: 60,
          at: new Date(hour - WEEK_MS),
          players: players * online,
          highest: players,
          online,
          sampled: 60,
        })
        .execute()
  }

  test('by the growth of its confirmed players since the same hour a week ago, and by nothing less', async () => {
    const hour = Date.UTC(2026, 2, 4, 20)
    const enforcement = { isUnlisted: false, isUnranked: false, arePlayersUnconfirmed: false, cause: undefined }
    const cases: readonly [
      publicId: string,
      weekAgo: number,
      online: number,
      now: number,
      growth: number | undefined,
      fields?: Partial<OwnerFields>,
    ][] = [
      ['Grown00', 6, 60, 30, 24],
      ['Empty00', 0, 60, 5, 5],
      ['Little0', 6, 60, 10, undefined],
      ['Large00', 200, 60, 235, undefined],
      ['Larger0', 200, 60, 240, 40],
      ['Fallen0', 60, 60, 30, undefined],
      ['New0000', 0, 0, 30, undefined],
      ['Half000', 8, 30, 30, 22],
      ['Rare000', 6, 29, 30, undefined],
      ['Fake000', 6, 60, 30, undefined, { enforcement: { ...enforcement, arePlayersUnconfirmed: true } }],
      ['Last000', 6, 60, 30, undefined, { enforcement: { ...enforcement, isUnranked: true } }],
      ['Hidden0', 6, 60, 30, undefined, { visible: false }],
    ]
    const node = historyNode(app, hour + MINUTE_MS)
    for (const [publicId, weekAgo, online, now, , fields] of cases) {
      await storeWeekAgo(hour, publicId, weekAgo, online)
      node.add(publicId, fields)
      node.setPlayers(publicId, now)
    }
    const trending = new Trending(node.deps, node.registry)
    const growths = () => cases.map(([publicId]) => [publicId, trending.growthOf(publicId)])
    const expected = cases.map(([publicId, , , , growth]) => [publicId, growth])
    const sampleMinutes = async (count: number) => {
      await node.sampleMinutes(count)
      await trending.refresh()
    }
    // A server that has just returned does not trend yet.
    await sampleMinutes(13)
    expect(growths().every(([, growth]) => growth === undefined)).toBe(true)
    await sampleMinutes(6)
    expect(growths()).toEqual(expected)

    // Four minutes are a burst, even if they fall into two buckets.
    await sampleMinutes(4)
    for (const players of [90, 10]) {
      node.setPlayers('Little0', players)
      await sampleMinutes(4)
      expect(trending.growthOf('Little0')).toBeUndefined()
    }
    node.setPlayers('Little0', 90)
    await sampleMinutes(20)
    expect(trending.growthOf('Little0')).toBe(84)

    Object.assign(node.servers.get('Little0') ?? {}, { online: false })
    expect(trending.growthOf('Little0')).toBeUndefined()
    expect(trending.growthOf('Grown00')).toBe(24)
    // The database is down.
    node.connection.isDown = true
    node.clock.current += HOUR_MS
    await expect(trending.refresh()).rejects.toThrow('does not answer')
    expect(trending.growthOf('Grown00')).toBeUndefined()
  })

  test('as the job finds', async () => {
    await expect(app.runJob('refresh-trending')).resolves.toBeUndefined()
  })
})
