/** gamedig, the query library of bots and status pages, can read our list. Only its host name is replaced. */
import { GameDig, protocols } from 'gamedig'
import { beforeAll, afterAll, expect, test, vi } from 'vitest'
import * as servers from '#contract/servers/servers.ts'
import { GameServer } from '#backend/cli/simulate/game-server.ts'
import { profilesFor } from '#backend/cli/simulate/profiles.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { fleetOwner, readOne } from './send.ts'

interface Queryable {
  request: (this: Queryable, params: { url: string }) => Promise<unknown>
}

/** The host that the library hard-codes. */
const HOST = 'https://api.alt-mp.com'

let app: TestApp
let publicId: string
let simulated: GameServer

beforeAll(async () => {
  app = await startApp()
  const { prototype } = (protocols as { altvmp: { prototype: Queryable } }).altvmp
  const original = prototype.request
  vi.spyOn(prototype, 'request').mockImplementation(function redirected(this: Queryable, params) {
    return original.call(this, { ...params, url: params.url.replace(HOST, app.listUrl) })
  })
  const owner = await fleetOwner(app)
  const [profile] = profilesFor(1, 7)
  if (profile === undefined) throw new Error('There is no profile.')
  const { data } = await owner.call(servers.create, { body: profile.input })
  publicId = data.public_id
  const tally = { accepted: 0, rejected: 0, lastRejection: '' }
  simulated = new GameServer(
    { publicId, credential: data.credential, profile },
    { listUrl: app.listUrl, seed: 7, interval: undefined, restartChance: 0, probes: false, tally },
    0,
  )
  simulated.start(0)
  await vi.waitFor(() => {
    expect(tally.accepted).toBe(1)
  })
})

afterAll(() => simulated.stop(false))

async function find(query: Record<string, unknown>): Promise<{ found: unknown; expected: unknown }> {
  const expected = await readOne(app, publicId)
  const found: unknown = await GameDig.query({ type: 'gta5am', maxRetries: 1, givenPortOnly: true, ...query })
  return {
    found,
    expected: {
      name: expected.name,
      numplayers: expected.playersCount,
      maxplayers: expected.maxPlayersCount,
      password: expected.passworded,
      version: expected.version,
    },
  }
}

test('gamedig finds a simulated server by its ID', async () => {
  const { found, expected } = await find({ host: '127.0.0.1', serverId: publicId })
  expect(found).toMatchObject(expected as object)
})

test('gamedig finds a simulated server by its address', async () => {
  const { port } = await readOne(app, publicId)
  await expect.poll(async () => (await fetch(`${app.listUrl}/servers`)).text()).toContain(publicId)
  const { found, expected } = await find({ host: '127.0.0.1', port })
  expect(found).toMatchObject(expected as object)
})

test('gamedig does not find a server that is not on the list', async () => {
  await expect(GameDig.query({ type: 'gta5am', host: '127.0.0.1', port: 1, maxRetries: 1, givenPortOnly: true })).rejects.toThrow(
    'Failed all',
  )
})
