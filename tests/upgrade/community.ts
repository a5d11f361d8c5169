/** Owners, servers, an image, a transfer and a webhook, through calls that every release has answered alike. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'vitest'
import type { Image } from '#contract/servers/images.ts'
import type { ServerList, ServerWithCredential } from '#contract/servers/servers.ts'
import type { Me } from '#contract/users/users.ts'
import { ADMIN, type Cluster } from '#tests/cluster/cluster.ts'
import type { FleetServer } from '#tests/cluster/fleet.ts'
import type { LoadBalancer } from '#tests/cluster/load-balancer.ts'
import { call } from '#tests/cluster/panel-call.ts'
import { newName } from '#tests/factories.ts'
import { formOf, imageBytes } from '#tests/images/upload.ts'
import { closeAfterTest } from '#tests/running.ts'

const OWNERS = 5
const SERVERS_EACH = 12

interface Owner {
  readonly id: string
  readonly cookie: string
}

export interface Community {
  readonly owners: readonly Owner[]
  /** Those that announce. */
  readonly servers: readonly FleetServer[]
  readonly transferId: string
  /** Without one if the release has no webhooks. */
  readonly webhook: { readonly id: string; readonly deliveries: () => number } | undefined
  /** What the owners see before the upgrade. */
  readonly before: unknown
}

async function succeed<T>(balancer: LoadBalancer, cookie: string, route: string, body?: unknown): Promise<T> {
  const { status, data, text } = await call<T>(balancer.panelUrl, cookie, route, body)
  expect(status, `${route}: ${text}`).toBeLessThan(300)
  return data
}

export async function registerCommunity(cluster: Cluster, balancer: LoadBalancer): Promise<Community> {
  const admin = await cluster.signIn(balancer.panelUrl, ADMIN)
  const owners: Owner[] = []
  const servers: FleetServer[] = []
  for (let index = 0; index < OWNERS; index += 1) {
    const cookie = await cluster.signIn(balancer.panelUrl, { id: `8035111022467900${index}`, username: `owner${index}` })
    const { id } = await succeed<Me>(balancer, cookie, 'GET /api/auth/me')
    await succeed(balancer, admin, `PUT /api/admin/users/${id}/tier`, { tier_id: 'DIAMOND_ALTRUIST' })
    owners.push({ id, cookie })
    for (let count = 0; count < SERVERS_EACH; count += 1) servers.push(await register(balancer, cookie))
  }
  const [first, second] = owners as [Owner, Owner]
  await setIcon(balancer, first, servers[1]?.publicId ?? '')
  // Offered and not announced: accepting revokes its credential.
  const { publicId } = await register(balancer, first.cookie)
  const offer = { token_id: publicId, user_id: second.id }
  const { id: transferId } = await succeed<{ id: string }>(balancer, first.cookie, 'POST /api/users/tokens/transfers/create', offer)
  const webhook = await createWebhook(balancer, first)
  const community = { owners, servers, transferId, webhook }
  return { ...community, before: await seenByOwners(balancer, community) }
}

async function register(balancer: LoadBalancer, cookie: string): Promise<FleetServer> {
  const { public_id: publicId, credential } = await succeed<ServerWithCredential>(balancer, cookie, 'POST /api/users/tokens', {
    name: newName(),
    tags: ['drift', 'roleplay'],
  })
  return { publicId, credential, turn: 0, acknowledged: undefined }
}

async function setIcon(balancer: LoadBalancer, { cookie }: Owner, publicId: string): Promise<void> {
  const body = formOf([
    ['purpose', 'SERVER_ICON'],
    ['file', imageBytes],
  ])
  const response = await fetch(`${balancer.panelUrl}/api/users/images`, { method: 'POST', headers: { cookie }, body })
  const { data } = (await response.json()) as { data: Image }
  await succeed(balancer, cookie, `PATCH /api/users/tokens/${publicId}`, { icon_image_id: data.id })
}

async function createWebhook(balancer: LoadBalancer, { cookie }: Owner): Promise<Community['webhook']> {
  let received = 0
  const receiver = createServer((request, response) => {
    received += 1
    request.resume().on('end', () => response.writeHead(204).end())
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  closeAfterTest(() => receiver.close())
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const body = { name: 'Hook', kind: 'standard', url, events: ['server.offline'] }
  const { status, data, text } = await call<{ id: string }>(balancer.panelUrl, cookie, 'POST /api/users/webhooks', body)
  if (status === 404) return undefined
  expect(status, text).toBe(200)
  return { id: data.id, deliveries: () => received }
}

/** What may not change, of every owner, with the bytes of the image. */
async function seenByOwners(balancer: LoadBalancer, { owners, webhook }: Pick<Community, 'owners' | 'webhook'>): Promise<unknown> {
  return await Promise.all(
    owners.map(async ({ cookie }) => {
      const { id, discord, active_tier: tier } = await succeed<Me>(balancer, cookie, 'GET /api/auth/me')
      const list = await succeed<ServerList>(balancer, cookie, 'GET /api/users/tokens')
      const servers = await Promise.all(
        list.owned.map(async ({ public_id: publicId, name, tags, credential_hint: hint, icon_url: icon, created_at: at }) => {
          const bytes = icon === null ? undefined : await imageAt(balancer, icon)
          return { publicId, name, tags, hint, icon: bytes, at }
        }),
      )
      const transfers = [...list.incoming_transfers, ...list.outgoing_transfers].map((transfer) => transfer.id)
      const hooks = webhook && (await succeed<{ id: string; url: string }[]>(balancer, cookie, 'GET /api/users/webhooks'))
      return { id, discord, tier, servers, transfers, hooks: hooks?.map((hook) => [hook.id, hook.url]) }
    }),
  )
}

async function imageAt(balancer: LoadBalancer, url: string): Promise<string> {
  const response = await fetch(`${balancer.listUrl}${new URL(url).pathname}`)
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer()).toString('base64')
}

/** Everything is there, and can be used: sessions read, the transfer is accepted, the webhook delivers, and there is room for a server. */
export async function expectKept(balancer: LoadBalancer, community: Community): Promise<void> {
  const { owners, transferId, webhook, before } = community
  const [first, second] = owners as [Owner, Owner]
  expect(await seenByOwners(balancer, community)).toEqual(before)
  await succeed(balancer, second.cookie, `POST /api/users/tokens/transfers/${transferId}/accept`)
  const { owned } = await succeed<ServerList>(balancer, second.cookie, 'GET /api/users/tokens')
  expect(owned).toHaveLength(SERVERS_EACH + 1)
  await register(balancer, first.cookie)
  if (webhook === undefined) return
  await succeed(balancer, first.cookie, `POST /api/users/webhooks/${webhook.id}/test`)
  await expect.poll(webhook.deliveries).toBe(1)
}
