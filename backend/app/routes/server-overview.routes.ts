/** The servers page: the user's own servers, transfers, managed servers and pins. */
import { list as overview } from '#contract/servers/servers.ts'
import type { Services } from '#backend/app/services.ts'
import { listPins } from '#backend/core/servers/pins.ts'
import { listManagedServers, listServers } from '#backend/core/servers/servers.ts'
import { presentManaged, presentServers } from '#backend/core/servers/servers.present.ts'
import { getTransfers } from '#backend/core/transfers/transfers.present.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'

export function bindServerOverview(bind: Bind, deps: Deps, { list }: Pick<Services, 'list'>): void {
  const { db } = deps

  bind(overview, async ({ caller }) => {
    const [own, managed, { outgoing, incoming }, pinned] = await Promise.all([
      listServers(db, caller.userId),
      listManagedServers(db, caller.userId),
      getTransfers(deps, caller.userId),
      listPins(db, caller.userId),
    ])
    return {
      owned: await presentServers(deps, list, own),
      outgoing_transfers: outgoing,
      incoming_transfers: incoming,
      management: await presentManaged(deps, list, managed),
      pinned,
    }
  })
}
