/** Many servers fall silent at once, because the list or their host failed. */
import { expect, test } from 'vitest'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { announceFrom, fleetOwner, readList } from '#tests/list/send.ts'

interface ServerAt {
  readonly credential: string
  readonly from: string
}

/** Online servers, distributed over this many addresses. */
async function fleetAt(app: TestApp, servers: number, addresses: number): Promise<ServerAt[]> {
  const owner = await fleetOwner(app)
  const fleet: ServerAt[] = []
  for (let index = 0; index < servers; index += 1)
    fleet.push({ credential: (await buildServer(owner)).credential, from: `127.0.0.${2 + (index % addresses)}` })
  await announceAll(app, fleet)
  await expectListed(app, servers)
  return fleet
}

const announceAll = (app: TestApp, fleet: readonly ServerAt[]) =>
  Promise.all(fleet.map(async ({ credential, from }) => expect((await announceFrom(app, credential, {}, { from })).status).toBe(200)))
async function expectListed(app: TestApp, servers: number): Promise<void> {
  await expect.poll(async () => (await readList(app)).length).toBe(servers)
}
/** Waits two cycles of the list, which process everything due. */
const twoCycles = () => new Promise((resolve) => setTimeout(resolve, 600))

test('when the whole list falls silent at once, all servers stay listed, and those still silent after ten minutes expire', async () => {
  const app = await startApp()
  const fleet = await fleetAt(app, 30, 6)
  app.clock.advance(76_000)
  await twoCycles()
  expect((await readList(app)).length).toBe(30)
  expect(app.takeLogs().join('\n')).toContain('fell silent')
  // Servers that return are no longer deferred. They expire normally when they fall silent again.
  await announceAll(app, fleet.slice(0, 3))
  app.clock.advance(8 * 75_000 - 5000)
  await announceAll(app, fleet.slice(0, 3))
  app.clock.advance(10_000)
  await expectListed(app, 3)
  app.clock.advance(76_000)
  await expectListed(app, 0)
})

test('servers of one host that fall silent together expire normally', async () => {
  const app = await startApp()
  await fleetAt(app, 25, 1)
  app.clock.advance(76_000)
  await expect.poll(() => readList(app)).toEqual([])
})

test('twelve silent servers expire normally, even if they are the whole list', async () => {
  const app = await startApp()
  await fleetAt(app, 12, 6)
  app.clock.advance(76_000)
  await expect.poll(() => readList(app)).toEqual([])
})
