/** Nodes of an earlier commit become nodes of this checkout under load. `npm run test:upgrade -- COMMIT` (run.ts) starts it. */
import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Cluster, startCluster } from '#tests/cluster/cluster.ts'
import { Fleet } from '#tests/cluster/fleet.ts'
import { waitUntilEqual } from '#tests/cluster/lists.ts'
import { CADDY, caddy } from '#tests/cluster/load-balancer.ts'
import { temporaryFolder } from '#tests/program.ts'
import { type FormerInstallation, installFormer } from './former-release.ts'
import { type Community, expectKept, registerCommunity } from './community.ts'
import { startLoad } from './load.ts'

const COMMIT = process.env.MUSTER_UPGRADE_FROM ?? ''
/** As in compose.yaml. The proxy stops a second before the nodes do, and has noticed long before that they drain. */
const DRAIN_SECONDS = 5
const FREEZE_AFTER_MS = 4000
const ANNOUNCE_EVERY_MS = 1000
/** Under load before and after. */
const AROUND_MS = 5000

type Balancer = Awaited<ReturnType<typeof caddy>>

let former: FormerInstallation

beforeAll(async () => {
  if (CADDY === undefined) throw new Error('This test needs Caddy: apt-get install caddy, or set MUSTER_CADDY.')
  former = await installFormer(COMMIT)
  process.stdout.write('  | from | way | calls | failed | longest time without an answer | announces accepted |\n')
}, 900_000)

/** Two nodes of the earlier commit on a new database, with one folder of images. */
async function startFormer(): Promise<Cluster> {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'images'))
  for (const node of ['node-0', 'node-1']) {
    mkdirSync(join(folder, node))
    symlinkSync('../images', join(folder, node, 'images'))
  }
  const variables = {
    MASTERLIST_PUBLIC_URL: 'https://list.example',
    TRUSTED_PROXIES: '127.0.0.1',
    DRAIN_SECONDS: String(DRAIN_SECONDS),
    WEBHOOKS_PRIVATE: 'on',
  }
  return await startCluster(2, variables, { script: former.script, folder })
}

async function oneAfterTheOther({ nodes }: Cluster, balancer: Balancer): Promise<void> {
  for (const node of nodes) {
    expect(await node.stop(), node.output()).toBe(0)
    await node.start()
    await sleep(balancer.detectsWithinMs)
  }
}

async function withPause({ nodes }: Cluster): Promise<void> {
  expect(await Promise.all(nodes.map((node) => node.stop()))).toEqual([0, 0])
  for (const node of nodes) await node.start()
}

/** The proxy stops while the nodes still answer, and goes on when both are ready. */
async function withFrozenProxy({ nodes }: Cluster, balancer: Balancer): Promise<void> {
  const stopping = Promise.all(nodes.map((node) => node.stop()))
  await sleep(FREEZE_AFTER_MS)
  balancer.freeze()
  expect(await stopping).toEqual([0, 0])
  await Promise.all(nodes.map((node) => node.start()))
  balancer.thaw()
}

/** Upgrades under load, prints the row, and returns the failed calls. */
async function upgrade(way: string, replaceNodes: (cluster: Cluster, balancer: Balancer) => Promise<void>): Promise<string[]> {
  const cluster = await startFormer()
  const balancer = await caddy(CADDY ?? '', cluster.nodes, cluster.folder)
  const community: Community = await registerCommunity(cluster, balancer)
  const fleet = new Fleet(community.servers, [balancer.listUrl], Infinity)
  await fleet.announceAll()
  expect(fleet.failures).toEqual([])
  await waitUntilEqual(cluster.nodes, community.servers)
  const load = startLoad(balancer, community)
  fleet.start(ANNOUNCE_EVERY_MS)
  await sleep(AROUND_MS)
  await replaceNodes(cluster, balancer)
  await sleep(AROUND_MS)
  const { calls, failures, longestMs } = await load.stop()
  await fleet.quiet()
  const failed = [...failures, ...fleet.failures.map(({ status, why }) => `announce: ${status} ${why}`)]
  const total = calls + fleet.accepted + fleet.failures.length
  const cells = [COMMIT, way, total, failed.length, `${(longestMs / 1000).toFixed(1)} s`, fleet.accepted]
  process.stdout.write(`  | ${cells.join(' | ')} |\n`)
  const rejected = fleet.failures.length
  await fleet.announceAll()
  expect(fleet.failures).toHaveLength(rejected)
  await waitUntilEqual(cluster.nodes, community.servers)
  await expectKept(balancer, community)
  return failed
}

describe.skipIf(COMMIT === '')('an upgrade keeps every user, session, server, credential, image, transfer and webhook', () => {
  test('one node after the other, if the levels allow it: no call fails', { timeout: 300_000 }, async ({ skip }) => {
    if (!former.isCompatible) skip()
    expect(await upgrade('one after the other', oneAfterTheOther)).toEqual([])
  })

  test('with a pause', { timeout: 300_000 }, async ({ skip }) => {
    if (former.isCompatible) skip()
    await upgrade('pause', withPause)
  })

  test('with a pause of the proxy too: calls wait, and none fails', { timeout: 300_000 }, async ({ skip }) => {
    if (former.isCompatible) skip()
    expect(await upgrade('pause, also of the proxy', withFrozenProxy)).toEqual([])
  })
})
