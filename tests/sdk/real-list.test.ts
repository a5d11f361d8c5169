/** The SDK against the real program. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, expectTypeOf, test } from 'vitest'
import type { ListDelta as ContractDelta, ListedServer as ContractServer } from '#contract/masterlist/masterlist.ts'
import * as servers from '#contract/servers/servers.ts'
import { askTcp } from '#backend/services/probing/ask-tcp.ts'
import { announce } from '#sdk/index.ts'
import { type ListDelta, type ListedServer, list } from '#sdk/list/index.ts'
import { buildServer } from '#tests/factories.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { fleetOwner } from '#tests/list/send.ts'
import { freePort } from '#tests/program.ts'

const AGENT = join(import.meta.dirname, '../../sdk/src/agent/main.ts')

type Mutable<T> = T extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : T extends object
    ? { -readonly [Name in keyof T]: Mutable<T[Name]> }
    : T

test('the types of the SDK are those of the list', () => {
  expectTypeOf<Mutable<ListedServer>>().toEqualTypeOf<ContractServer>()
  expectTypeOf<Mutable<ListDelta>['removed']>().toEqualTypeOf<ContractDelta['removed']>()
})

let app: TestApp
let owner: SignedInUser

beforeAll(async () => {
  app = await startApp({ REACHABILITY_PRIVATE: 'on' })
  owner = await fleetOwner(app)
})

test('an announce to the panel is rejected with the address of the list', async () => {
  const server = announce({ url: app.panelUrl, credential: 'mst_x', port: 7788, maxPlayers: 8, probes: false, signals: false, quiet: true })
  const rejection = await new Promise((resolve) => server.on('rejected', resolve))
  await server.stop()
  expect(rejection).toMatchObject({ status: 404, message: 'This is the panel. Game servers announce to http://127.0.0.1:0.' })
})

test('a server is listed, seen by a following launcher, hidden, reachable and gone', async () => {
  const { credential, public_id: id } = await buildServer(owner)
  const events: string[] = []
  const port = await freePort()
  const server = announce({ url: app.listUrl, credential, port, maxPlayers: 64, players: 3, gameMode: 'Race', signals: false, quiet: true })
  server.on('listed', ({ publicId }) => events.push(`listed ${publicId}`))
  server.on('unlisted', () => events.push('unlisted'))
  server.on('notice', ({ code }) => events.push(code))
  const launcher = list({ url: app.listUrl }).follow()
  await expect.poll(() => launcher.get(id)).toMatchObject({ playersCount: 3, maxPlayersCount: 64, gameMode: 'Race', port })
  server.update({ players: 4, queue: 1 })
  await expect.poll(() => launcher.get(id)).toMatchObject({ playersCount: 4, queueCount: 1 })
  const key = createHash('sha256').update(credential).digest()
  const probeOf = (secret: Buffer) =>
    askTcp(
      { publicId: id, address: '127.0.0.1', port, endpoint: `127.0.0.1:${port}`, key: secret },
      Date.now(),
      new AbortController().signal,
    )
  await expect.poll(() => probeOf(key)).toEqual({ result: 'answered' })
  expect(await probeOf(Buffer.alloc(32))).toMatchObject({ result: 'failed' })
  await owner.call(servers.change, { params: { id }, body: { visible: false } })
  await expect.poll(() => launcher.servers).toEqual([])
  server.update({ players: 5 })
  await expect.poll(() => events).toEqual([`listed ${id}`, 'unlisted', 'HIDDEN'])
  await server.stop()
  expect((await owner.call(servers.get, { params: { id } })).data.status).toBe('offline')
  await expect.poll(async () => (await probeOf(key)).result).toBe('failed')
  launcher.stop()
})

test('a dry run of the agent checks the credential and leaves no trace', async () => {
  const { credential, public_id: id } = await buildServer(owner)
  const dryRun = async (secret: string) => {
    const env = { PATH: process.env.PATH, MUSTER_URL: app.listUrl, MUSTER_CREDENTIAL: secret, PORT: '7788', MAX_PLAYERS: '8' }
    const { code = 0, stdout } = (await promisify(execFile)(process.execPath, [AGENT, '--dry-run'], { env }).catch(
      (error: unknown) => error,
    )) as {
      code?: number
      stdout: string
    }
    return `${code} ${stdout.trim().split('\n').at(-1)}`
  }
  expect(await Promise.all([credential, `${credential.slice(0, -1)}!`].map(dryRun))).toEqual([
    '0 The list accepts the credential from this address. The announce itself was not sent.',
    expect.stringMatching(/^3 The list rejects it\. CREDENTIAL_MALFORMED: /),
  ])
  expect((await owner.call(servers.get, { params: { id } })).data).toMatchObject({ status: 'never_seen', bound_address: null })
  expect((await owner.call(servers.announces, { params: { id } })).data).toEqual([])
})
