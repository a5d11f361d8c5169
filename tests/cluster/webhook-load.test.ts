/** Two real programs send events to many webhooks, some of which hang, fail or are gone, while the programs are killed in turn. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Server, ServerWithCredential } from '#contract/servers/servers.ts'
import type { Webhook, WebhookWithSecret } from '#contract/webhooks/webhooks.ts'
import { newName } from '#tests/factories.ts'
import { makeDeliveriesDue } from '#tests/webhook-receiver.ts'
import { type Cluster, type ClusterNode, startCluster } from './cluster.ts'
import { call } from './panel-call.ts'
import { SIZE, note } from './size.ts'

type Kind = 'hanging' | 'failing' | 'gone' | 'healthy'
const { webhooks: COUNT, webhookEvents: EVENTS, webhookKills: KILLS, eventsPerSecond: RATE } = SIZE
/** The limit of an account. */
const PER_OWNER = 10
/** Of the webhooks of each owner, one hangs and one answers 500. A third of the owners has one that answers 410. */
const kindOf = (index: number): Kind => {
  const place = index % PER_OWNER
  if (place === 0) return 'hanging'
  if (place === 1) return 'failing'
  return index % (3 * PER_OWNER) === 2 ? 'gone' : 'healthy'
}
const STATUSES: Readonly<Record<Kind, number>> = { hanging: 0, failing: 500, gone: 410, healthy: 204 }
const MAX_LAG_MS = 2000
const MAX_GROWTH_MB = 150

interface Owner {
  readonly cookie: string
  readonly serverId: string
  /** Changes that the panel acknowledged, and those whose reply was lost in a kill. Each is one event for each of their webhooks. */
  acknowledged: number
  uncertain: number
}

interface Subscription {
  readonly kind: Kind
  readonly owner: Owner
  readonly webhookId: string
  /** By event ID, in the order of their first attempts. */
  readonly received: Map<string, { readonly at: number; readonly timestamp: number }>
}

let cluster: Cluster
const owners: Owner[] = []
const subscriptions: Subscription[] = []
let isRecovered = false

const receiver = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const subscription = subscriptions[Number(request.url?.slice(1))]
    const { id, timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { id: string; timestamp: string }
    if (subscription === undefined) return response.writeHead(404).end()
    if (!subscription.received.has(id)) subscription.received.set(id, { at: Date.now(), timestamp: Date.parse(timestamp) })
    const status = isRecovered ? 204 : STATUSES[subscription.kind]
    return status === 0 ? undefined : response.writeHead(status).end()
  })
})

beforeAll(async () => {
  cluster = await startCluster(2, { WEBHOOKS_PRIVATE: 'on', LOG_LEVEL: 'warn' })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  for (let index = 0; index < COUNT / PER_OWNER; index += 1) owners.push(await createOwner(index))
  for (let index = 0; index < COUNT; index += 1) subscriptions.push(await subscribe(index))
}, 600_000)

afterAll(() => {
  receiver.close()
  receiver.closeAllConnections()
})

async function createOwner(index: number): Promise<Owner> {
  const { panelUrl } = nodeAt(index)
  const cookie = await cluster.signIn(panelUrl, { id: String(10_000 + index), username: `owner_${index}` })
  const server = await call<ServerWithCredential>(panelUrl, cookie, 'POST /api/users/tokens', { name: newName() })
  expect(server.status, server.text).toBe(200)
  return { cookie, serverId: server.data.public_id, acknowledged: 0, uncertain: 0 }
}

async function subscribe(index: number): Promise<Subscription> {
  const owner = owners[Math.floor(index / PER_OWNER)] as Owner
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/${index}`
  const body = { name: `Load ${index}`, kind: 'standard', url, events: ['server.updated'] }
  const webhook = await call<WebhookWithSecret>(nodeAt(index).panelUrl, owner.cookie, 'POST /api/users/webhooks', body)
  expect(webhook.status, webhook.text).toBe(200)
  return { kind: kindOf(index), owner, webhookId: webhook.data.id, received: new Map() }
}

const nodeAt = (index: number) => cluster.nodes[index % cluster.nodes.length] as ClusterNode

/** Changes a server, which causes one event for each webhook. A killed node answers nothing: the change may be stored or not. */
async function change(owner: Owner, turn: number): Promise<void> {
  const { cookie, serverId } = owner
  const description = `Change ${turn}`
  const reply = await call<Server>(nodeAt(turn).panelUrl, cookie, `PATCH /api/users/tokens/${serverId}`, { description }).catch(
    () => undefined,
  )
  if (reply?.status === 200) owner.acknowledged += 1
  else owner.uncertain += 1
}

/** Each server's changes follow one another, so that their order is known. */
async function causeEvents(): Promise<void> {
  const began = performance.now()
  const pending = new Map<Owner, Promise<void>>()
  for (let turn = 0; turn < EVENTS / PER_OWNER; turn += 1) {
    const owner = owners[turn % owners.length] as Owner
    const previous = pending.get(owner) ?? Promise.resolve()
    pending.set(
      owner,
      // Each server's changes alternate between the nodes.
      previous.then(() => change(owner, Math.floor(turn / owners.length) + turn)),
    )
    const early = began + (turn * PER_OWNER * 1000) / RATE - performance.now()
    if (early > 0) await sleep(early)
  }
  await Promise.all(pending.values())
}

/** Kills and starts the nodes in turn, evenly spread. */
async function killNodes(): Promise<void> {
  const everyMs = ((EVENTS / RATE) * 1000) / (KILLS + 1)
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(everyMs)
    await nodeAt(kill).kill()
    await nodeAt(kill).start()
  }
}

/** Samples the larger resident memory of both nodes. */
function watchMemory(): { maxMb(): number; stop(): void } {
  let max = 0
  const sample = () => {
    max = Math.max(max, ...cluster.nodes.map((node) => node.residentMb() ?? 0))
  }
  sample()
  const timer = setInterval(sample, 500)
  return { maxMb: () => max, stop: () => clearInterval(timer) }
}

const storedChanges = async ({ serverId }: Owner): Promise<number> => {
  const { rows } = await sql<{ n: string }>`
    select count(*) as n from activity where action = 'SERVER_CHANGED' and server_id = ${serverId}`.execute(cluster.db)
  return Number(rows[0]?.n)
}

function lagsOf(chosen: readonly Subscription[]): number[] {
  return chosen.flatMap(({ received }) => [...received.values()].map(({ at, timestamp }) => at - timestamp)).toSorted((a, b) => a - b)
}

const percentile = (sorted: readonly number[], share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0

test('hanging, failing and vanished receivers and killed nodes delay no healthy webhook and lose no event', async () => {
  const idleMb = Math.max(...cluster.nodes.map((node) => node.residentMb() ?? 0))
  const memory = watchMemory()
  await Promise.all([causeEvents(), killNodes()])
  const [healthy, failing, hanging, gone] = ['healthy', 'failing', 'hanging', 'gone'].map((kind) =>
    subscriptions.filter((one) => one.kind === kind),
  ) as [Subscription[], Subscription[], Subscription[], Subscription[]]
  const stored = new Map<Owner, number>()
  for (const owner of owners) stored.set(owner, await storedChanges(owner))
  const missing = (chosen: readonly Subscription[]) =>
    chosen.reduce((sum, { owner, received }) => sum + (stored.get(owner) ?? 0) - received.size, 0)

  for (const owner of owners) {
    expect(stored.get(owner)).toBeGreaterThanOrEqual(owner.acknowledged)
    expect(stored.get(owner)).toBeLessThanOrEqual(owner.acknowledged + owner.uncertain)
  }
  await expect.poll(() => missing(healthy), { timeout: 120_000, interval: 200 }).toBe(0)
  const lags = lagsOf(healthy)
  const p95 = percentile(lags, 0.95)
  note(`${lags.length} events at ${healthy.length} healthy webhooks, p50 ${percentile(lags, 0.5)} ms, max ${lags.at(-1)} ms, p95`, p95)
  process.stdout.write(`  resident memory of the larger node: ${Math.round(idleMb)} MB before, at most ${Math.round(memory.maxMb())} MB\n`)
  memory.stop()
  expect(memory.maxMb() - idleMb).toBeLessThan(MAX_GROWTH_MB)
  if (SIZE.isFull) expect(p95).toBeLessThanOrEqual(MAX_LAG_MS)

  for (const { owner, webhookId } of gone) {
    const isEnabled = async () => {
      const { data } = await call<Webhook[]>(nodeAt(0).panelUrl, owner.cookie, 'GET /api/users/webhooks')
      return data.find(({ id }) => id === webhookId)?.enabled
    }
    // Its attempt may have been at a killed node.
    await expect.poll(isEnabled, { timeout: 30_000 }).toBe(false)
  }

  // The others get their backlog once they answer.
  isRecovered = true
  receiver.closeAllConnections()
  const waiting = async () => {
    await makeDeliveriesDue(cluster)
    return missing([...failing, ...hanging])
  }
  await expect.poll(waiting, { timeout: 300_000, interval: 1000 }).toBe(0)
  for (const { kind, received } of subscriptions.filter((one) => one.kind !== 'gone')) {
    const times = [...received.values()].map(({ timestamp }) => timestamp)
    expect(times, `the order of first attempts at a ${kind} webhook`).toEqual(times.toSorted((a, b) => a - b))
  }
}, 3_600_000)
