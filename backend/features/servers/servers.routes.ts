import { languageTable } from '#contract/languages.ts'
import * as servers from '#contract/servers.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Doors } from '#backend/app/services.ts'
import { transfersOf } from '#backend/features/transfers/transfers.present.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { createLimit } from '#backend/platform/http/rate-limit.ts'
import { partsOf } from './fields.ts'
import { ownServer } from './holding.ts'
import { presentManaged } from './managed.present.ts'
import { changeServer, resetAddress } from './server-changes.ts'
import { createServer, getServer, getVisible, listManaged, listServers, removeServer } from './servers.ts'
import { presentServer, presentServers } from './servers.present.ts'

export function bindServers(bind: Bind, deps: Deps, { list, tellList, live, reissuing, changes }: Doors): void {
  const { db } = deps
  const creations = createLimit(deps, 'creations', { burst: 20, perSecond: 1 / 60 })

  bind(servers.list, async ({ caller }) => {
    const [own, managed, { outgoing, incoming }] = await Promise.all([
      listServers(db, caller.userId),
      listManaged(db, caller.userId),
      transfersOf(db, caller.userId),
    ])
    return {
      owned: await presentServers(deps, list, own),
      outgoing_transfers: outgoing,
      incoming_transfers: incoming,
      management: await presentManaged(deps, list, managed),
    }
  })

  const languages = languageTable()
  bind(servers.languages, () => languages)

  bind(servers.create, async ({ caller, body, reply }) => {
    const { row, credential } = await creations.run(caller.userId, () => createServer(db, caller.userId, body))
    await tellList(row.public_id)
    // What is offered to him may stand in another light: his limit is nearer.
    live.account([caller.userId], 'servers', 'activity', ...partsOf(body))
    reply.header('cache-control', 'no-store')
    return { ...(await presentServer(deps, list, row)), credential: credential.reveal() }
  })

  bind(servers.get, async ({ caller, params }) => presentServer(deps, list, await getServer(db, caller.userId, params.id)))

  bind(servers.change, async ({ caller, params, body }) => {
    const { row, alsoChanged } = await changes.run(caller.userId, () => changeServer(db, ownServer(caller.userId, params.id), body))
    await tellList(row.public_id, ...alsoChanged)
    live.account([caller.userId], 'activity', ...partsOf(body))
    return presentServer(deps, list, row)
  })

  bind(servers.remove, async ({ caller, params }) => {
    const { offeredTo } = await removeServer(db, caller.userId, params.id)
    await tellList(params.id)
    live.account([caller.userId, ...(offeredTo === undefined ? [] : [offeredTo])], 'servers', 'activity', 'benefits', 'protection')
  })

  bind(servers.reissue, async ({ caller, params, body, reply }) => {
    const { row, credential } = await reissuing.reissue(ownServer(caller.userId, params.id), body.grace_seconds, reply)
    live.account([caller.userId], 'activity', 'protection')
    return { ...(await presentServer(deps, list, row)), credential }
  })

  bind(servers.resetAddress, async ({ caller, params }) => {
    const { row } = await changes.run(caller.userId, () => resetAddress(db, ownServer(caller.userId, params.id)))
    await tellList(row.public_id)
    live.account([caller.userId], 'activity', 'protection')
    return presentServer(deps, list, row)
  })

  bind(servers.announces, async ({ caller, params }) => {
    const row = await getVisible(db, caller.userId, params.id)
    return list.attemptsOf(row.public_id)
  })
}
