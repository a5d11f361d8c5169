import * as deletedServers from '#contract/servers/deleted-servers.ts'
import { languageTable } from '#contract/text/languages.ts'
import * as pins from '#contract/servers/pins.ts'
import * as servers from '#contract/servers/servers.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { replyWith } from '#backend/platform/http/if-match.ts'
import { listDeletedServers, presentDeletedServer, restoreServer } from './deleted-servers.ts'
import { pinServer, unpinServer } from './pins.ts'
import { asOwner } from './server-access.ts'
import { changeServer, reissueCredential, resetAddress } from './server-changes.ts'
import type { ServerStateSource } from './server-state.ts'
import { type ServerRow, createServer, getServer, getOwnedOrManagedServer, removeServer } from './servers.ts'
import { presentServer } from './servers.present.ts'

export function bindServers(bind: Bind, deps: Deps, list: ServerStateSource): void {
  const { db } = deps
  const languages = languageTable()
  const show = (row: ServerRow) => presentServer(deps, list, row)

  bind(servers.languages, () => languages)

  bind(servers.create, async ({ caller, body }) => {
    const { row, credential } = await createServer(db, caller.userId, body)
    return { ...(await show(row)), credential: credential.reveal() }
  })

  bind(servers.get, async ({ caller, params }) => show(await getServer(db, caller.userId, params.id)))

  bind(servers.change, ({ caller, params, body, ifMatch }) =>
    replyWith(changeServer(db, asOwner(caller.userId, params.id), body, ifMatch), ({ row }) => show(row)),
  )

  bind(servers.remove, ({ caller, params }) => removeServer(db, asOwner(caller.userId, params.id)))

  bind(deletedServers.list, async ({ caller }) => (await listDeletedServers(db, caller.userId)).map(presentDeletedServer))

  bind(deletedServers.restore, async ({ caller, params }) => show(await restoreServer(db, caller.userId, params.id)))

  bind(servers.reissue, async ({ caller, params, body }) => {
    const { row, credential } = await reissueCredential(db, asOwner(caller.userId, params.id), body.grace_seconds)
    return { ...(await show(row)), credential: credential.reveal() }
  })

  bind(servers.resetAddress, async ({ caller, params }) => {
    const { row } = await resetAddress(db, asOwner(caller.userId, params.id))
    return show(row)
  })

  bind(pins.pin, ({ caller, params }) => pinServer(db, caller.userId, params.id))

  bind(pins.unpin, ({ caller, params }) => unpinServer(db, caller.userId, params.id))

  bind(servers.announces, async ({ caller, params }) => {
    const row = await getOwnedOrManagedServer(db, caller.userId, params.id)
    return list.attemptsOf(row.public_id)
  })
}
