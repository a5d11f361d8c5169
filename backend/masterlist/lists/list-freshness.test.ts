/** The maximum age of a list, and versions from before a restart. */
import { beforeAll, expect, test } from 'vitest'
import type { ListDelta } from '#contract/masterlist/masterlist.ts'
import type { ServerWithCredential } from '#contract/servers/servers.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList, send } from '#tests/list/send.ts'

let app: TestApp
let server: ServerWithCredential

beforeAll(async () => {
  app = await startApp()
  server = await buildServer(await fleetOwner(app))
  await announceFrom(app, server.credential, { playersCount: 1 })
})

const versionOf = async () => String((await send(`${app.listUrl}/servers`)).headers['x-list-version'])
const since = (version: string, listUrl = app.listUrl) => send(`${listUrl}/servers?since=${version}`)
const changedSince = async (version: string) => (JSON.parse((await since(version)).text) as ListDelta).changed

/** Announces the count and waits until deltas contain it. */
async function play(playersCount: number): Promise<void> {
  const version = await versionOf()
  await announceFrom(app, server.credential, { playersCount })
  await expect.poll(() => changedSince(version)).toMatchObject([{ playersCount }])
}

test.each([
  ['one second', 1000],
  ['a minute without readers', 60_000],
])('%s after a change every read list contains it', async (_, ms) => {
  for (const players of [2, 3, 4]) {
    await play(players)
    app.clock.advance(ms)
    await announceFrom(app, server.credential, { playersCount: players })
    const lists = await Promise.all([1, 2, 3].map(() => readList(app)))
    expect(lists.map(([row]) => row?.playersCount)).toEqual([players, players, players])
  }
})

test('the totals match the deltas', async () => {
  await play(70)
  expect(JSON.parse((await send(`${app.listUrl}/servers/info`)).text)).toEqual({ serversCount: 1, playersCount: 70 })
})

test('a version from before a restart is too old, and the list contains changes made before the restart', async () => {
  const version = await versionOf()
  await play(8)
  await app.restart()
  const response = await since(version)
  expect([response.status, (JSON.parse(response.text) as { code: string }).code]).toEqual([410, 'VERSION_TOO_OLD'])
  expect((await readList(app)).map((row) => row.playersCount)).toEqual([8])
  expect((await since(await versionOf())).status).toBe(200)
})
