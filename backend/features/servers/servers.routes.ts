import { languageTable } from '#contract/languages.ts'
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
  const { db, env, clock, log } = deps
  const reissues = env.RATE_LIMITS ? new TokenBuckets({ burst: 30, perSecond: 1 / 10, clock }) : undefined
  const creations = env.RATE_LIMITS ? new TokenBuckets({ burst: 20, perSecond: 1 / 60, clock }) : undefined

  // The change is committed: the list tries again by itself where it can't read it now, and the caller gets his answer.
  const tell = async (...publicIds: readonly string[]) => {
    const told = await Promise.allSettled(publicIds.map((publicId) => list.refresh(publicId)))
    for (const one of told)
      if (one.status === 'rejected') log.warn({ err: one.reason as unknown }, 'The master list could not read a change yet.')
  }

  bind(servers.list, async ({ caller }) => ({
    owned: await presentServers(db, list, await listServers(db, caller.userId)),
    outgoing_transfers: [],
    incoming_transfers: [],
    management: [],
  }))

  const languages = languageTable()
  bind(servers.languages, () => languages)

  bind(servers.create, async ({ caller, body, reply }) => {
    const wait = creations?.take(caller.userId) ?? 0
    if (wait > 0) throw tooMany(wait)
    const { row, credential } = await createServer(db, caller.userId, body).catch((error: unknown) => {
      // Only what was made counts: trying out which name is free costs nothing.
      creations?.giveBack(caller.userId)
      throw error
    })
    await tell(row.public_id)
    reply.header('cache-control', 'no-store')
    return { ...(await presentServer(db, list, row)), credential: credential.reveal() }
  })

  bind(servers.get, async ({ caller, params }) => presentServer(db, list, await getServer(db, caller.userId, params.id)))

  bind(servers.change, async ({ caller, params, body }) => {
    const { row, alsoChanged } = await changeServer(db, caller.userId, params.id, body)
    await tell(row.public_id, ...alsoChanged)
    return presentServer(db, list, row)
  })

  bind(servers.remove, async ({ caller, params }) => {
    await removeServer(db, caller.userId, params.id)
    await tell(params.id)
  })

  bind(servers.reissue, async ({ caller, params, body, reply }) => {
    const wait = reissues?.take(caller.userId) ?? 0
    if (wait > 0) throw tooMany(wait)
    const { row, credential } = await reissueCredential(db, caller.userId, params.id, body?.grace_seconds)
    await tell(row.public_id)
    reply.header('cache-control', 'no-store')
    return { ...(await presentServer(db, list, row)), credential: credential.reveal() }
  })

  bind(servers.resetAddress, async ({ caller, params }) => {
    const row = await resetAddress(db, caller.userId, params.id)
    await tell(row.public_id)
    return presentServer(db, list, row)
  })

  bind(servers.announces, async ({ caller, params }) => {
    const row = await getServer(db, caller.userId, params.id)
    return list.attemptsOf(row.public_id)
  })

  bindServerEvents(bind, deps, list)
}
