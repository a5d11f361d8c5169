/** `npm run demo` in an empty folder, as a newcomer meets it. */
import { renameSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as history from '#contract/history/history.ts'
import type { ListedServer } from '#contract/masterlist/masterlist.ts'
import * as protection from '#contract/protection/protection.ts'
import * as servers from '#contract/servers/servers.ts'
import { adminServers } from '#contract/servers/servers-admin.ts'
import * as webhooks from '#contract/webhooks/webhooks.ts'
import { MUSTER, type Program, discard, runCommand, startProgram, temporaryFolder, until, untilReady } from '#tests/program.ts'
import { signIn } from '#tests/test-user.ts'

const START_MS = 240_000
const folder = temporaryFolder()
let program: Program

const startDemo = async () => untilReady(await startProgram(folder, { RATE_LIMITS: 'on' }, [], [MUSTER, 'demo']), START_MS)
const readList = async () => (await (await fetch(`${program.listUrl}/servers`)).json()) as ListedServer[]
const as = (username: string) => signIn(() => program.panelUrl, username)

async function stop(): Promise<void> {
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
}

beforeAll(async () => {
  program = await startDemo()
}, START_MS)
afterAll(() => discard(folder, program))

test('production configurations are rejected, and nothing is created', async () => {
  const empty = temporaryFolder()
  const { code, output } = await runCommand(['demo'], { DATA_DIR: empty, PUBLIC_URL: 'https://panel.example.com' })
  expect([code, output]).toEqual([1, 'The demo does not run against a production configuration: PUBLIC_URL starts with https://.\n'])
  expect(readdirSync(empty)).toEqual([])
  discard(empty)
})

test('a folder whose Muster is running is rejected', async () => {
  const { code, output } = await runCommand(['demo'], { DATA_DIR: folder })
  expect(code).toBe(1)
  expect(output).toMatch(
    /^Another Muster is already running on the data folder \S+, as process \d+\. Stop it first, or choose another folder with DATA_DIR\.\n$/,
  )
})

test('it says which accounts to sign in as', async () => {
  await until(() => program.output().includes('Sign in as'))
  for (const name of ['admin', 'alice', 'bob']) expect(program.output()).toContain(`\n    ${name} `)
})

test('the list shows most of the 200 servers in many languages, with icons and banners', async () => {
  const list = await readList()
  expect(list.length).toBeGreaterThan(160)
  expect(new Set(list.map(({ language }) => language)).size).toBeGreaterThan(6)
  expect(list.filter((server) => server.masterlist_icon_url).length).toBeGreaterThan(100)
  expect(list.filter((server) => server.masterlist_banner_url).length).toBeGreaterThan(100)
  expect(list.some((server) => !server.masterlist_icon_url)).toBe(true)
  const icon = await fetch(list.find((server) => server.masterlist_icon_url)?.masterlist_icon_url ?? '')
  expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect(await (await fetch(`${program.panelUrl}/browse`)).text()).toContain('Harbour Nights Roleplay')
})

test('the servers keep announcing', async () => {
  const players = async () => (await readList()).map(({ playersCount }) => playersCount).join()
  const before = await players()
  // Not more often than a browser: the list limits its readers.
  await until(async () => (await sleep(2000, await players())) !== before, 90_000)
  expect((await readList()).length).toBeGreaterThan(160)
})

test('alice owns twelve servers with two months of history, and has issues, an offer and deliveries to look at', async () => {
  const alice = await as('alice')
  const { data: list } = await alice.call(servers.list)
  expect([list.owned.length, list.incoming_transfers.length, list.outgoing_transfers.length]).toEqual([12, 1, 1])
  const id = list.owned.find(({ name }) => name === 'Harbour Nights Roleplay')?.public_id ?? ''
  const { data } = await alice.call(history.ofServer, { params: { id }, query: { range: '1y' } })
  expect(data.average.filter((players) => players !== null && players > 0).length).toBeGreaterThan(55)
  const { data: issues } = await alice.call(protection.issuesOfUser, { params: { userId: alice.id } })
  expect(new Set(issues.map(({ kind }) => kind))).toEqual(
    new Set(['ADDRESS_MISMATCH', 'IMPLAUSIBLE_PLAYERS', 'REVOKED_CREDENTIAL', 'PLAYER_REPORTS']),
  )
  const [statusPage] = (await alice.call(webhooks.list)).data
  const { data: deliveries } = await alice.call(webhooks.deliveries, { params: { id: statusPage?.id ?? '' } })
  expect(deliveries.map(({ state }) => state)).toContain('succeeded')
})

test('bob manages the servers of alice and has an offer to answer', async () => {
  const { data: list } = await (await as('bob')).call(servers.list)
  expect([list.owned.length, list.management.length, list.incoming_transfers.length]).toEqual([2, 12, 1])
})

test('admin has 200 servers and a queue of issues', async () => {
  const admin = await as('admin')
  expect((await admin.call(adminServers, { query: {} })).data.meta.total).toBe(200)
  expect((await admin.call(protection.issues, { query: { status: ['OPEN'] } })).data.meta.total).toBeGreaterThan(7)
})

test(
  'a stopped demo continues, but an installation with accounts of its own is rejected and keeps its data',
  async () => {
    await stop()
    const [file, elsewhere] = [join(folder, 'demo.json'), join(folder, 'elsewhere.json')]
    renameSync(file, elsewhere)
    const { code, output } = await runCommand(['demo'], { DATA_DIR: folder })
    expect(code).toBe(1)
    expect(output).toBe(
      'The demo needs an empty installation, but this one has accounts. Nothing has changed. Set DATA_DIR to a new folder.\n',
    )
    renameSync(elsewhere, file)
    program = await startDemo()
    expect(program.output()).not.toContain('Creating')
    expect((await (await as('admin')).call(adminServers, { query: {} })).data.meta.total).toBe(200)
    await until(async () => (await readList()).length > 160)
  },
  START_MS,
)
