import { LANGUAGES } from '#contract/languages.ts'
import * as servers from '#contract/servers.ts'
import type { Deps } from '#backend/deps.ts'
import { tooMany } from '#backend/errors.ts'
import type { MasterList } from '#backend/features/masterlist/master-list.ts'
import type { Bind } from '#backend/http/bind.ts'
import { TokenBuckets } from '#backend/http/rate-limit.ts'
import { bindServerEvents } from './server-events.ts'
import { changeServer, createServer, getServer, listServers, reissueCredential, removeServer, resetAddress } from './servers.ts'
import { presentServer, presentServers } from './servers.present.ts'

export function bindServers(bind: Bind, deps: Deps, list: MasterList): void {
  const { db, env, clock } = deps
  const creations = env.RATE_LIMITS ? new TokenBuckets({ burst: 20, perSecond: 1 / 60, clock }) : undefined

  bind(servers.list, async ({ caller }) => ({
    owned: await presentServers(db, list, await listServers(db, caller.userId)),
    outgoing_transfers: [],
    incoming_transfers: [],
    management: [],
  }))

  bind(servers.languages, () => [...LANGUAGES])

  bind(servers.create, async ({ caller, body, reply }) => {
    const wait = creations?.take(caller.userId) ?? 0
    if (wait > 0) throw tooMany(wait)
    const { row, credential } = await createServer(db, caller.userId, body)
    await list.refresh(row.public_id)
    reply.header('cache-control', 'no-store')
    return { ...(await presentServer(db, list, row)), credential: credential.reveal() }
  })

  bind(servers.get, async ({ caller, params }) => presentServer(db, list, await getServer(db, caller.userId, params.id)))

  bind(servers.change, async ({ caller, params, body }) => {
    const { row, alsoChanged } = await changeServer(db, caller.userId, params.id, body)
    await Promise.all([row.public_id, ...alsoChanged].map((publicId) => list.refresh(publicId)))
    return presentServer(db, list, row)
  })

  bind(servers.remove, async ({ caller, params }) => {
    await removeServer(db, caller.userId, params.id)
    await list.refresh(params.id)
  })

  bind(servers.reissue, async ({ caller, params, body, reply }) => {
    const { row, credential } = await reissueCredential(db, caller.userId, params.id, body?.grace_seconds)
    await list.refresh(row.public_id)
    reply.header('cache-control', 'no-store')
    return { ...(await presentServer(db, list, row)), credential: credential.reveal() }
  })

  bind(servers.resetAddress, async ({ caller, params }) => {
    const row = await resetAddress(db, caller.userId, params.id)
    await list.refresh(row.public_id)
    return presentServer(db, list, row)
  })

  bind(servers.announces, async ({ caller, params }) => {
    const row = await getServer(db, caller.userId, params.id)
    return list.attemptsOf(row.public_id)
  })

  bindServerEvents(bind, deps, list)
}
