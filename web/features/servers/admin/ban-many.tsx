import { useQueryClient } from '@tanstack/react-query'
import type { AdminServer } from '#contract/servers-admin.ts'
import { BulkBanDialog } from '#web/ui/table/bulk-ban-dialog.tsx'
import { BulkDialog } from '#web/ui/table/bulk-dialog.tsx'
import { banOneOfMany, readServersAnew } from './admin-servers.api.ts'
import { SERVER_BAN_REASONS } from './servers-ban-reasons.ts'

interface ManyProps {
  servers: readonly AdminServer[]
  /** Hears, once it is through, which ones it failed with. */
  onDone: (failed: ReadonlySet<string>) => void
  onClose: () => void
}

const idOf = (server: AdminServer) => server.public_id
const nameOf = (server: AdminServer) => server.name
const countOf = ({ length }: readonly AdminServer[]) => (length === 1 ? 'this server' : `these ${length} servers`)

/** Bans all of them, with one reason and one end for all. */
export function BanManyDialog({ servers, onDone, onClose }: ManyProps) {
  const client = useQueryClient()
  const standing = servers.filter(({ banned }) => banned).length
  return (
    <BulkBanDialog
      words={['server', 'servers', 'banned']}
      title={`Ban ${countOf(servers)}?`}
      rows={servers}
      idOf={idOf}
      nameOf={nameOf}
      confirm={servers.length === 1 ? 'Ban server' : `Ban ${servers.length} servers`}
      reasons={SERVER_BAN_REASONS}
      hint="Their owners read it."
      ban={(server, typed) => banOneOfMany(server, { banned: true, ...typed })}
      onDone={(failed) => {
        readServersAnew(client)
        onDone(failed)
      }}
      onClose={onClose}
    >
      <p>
        They leave the list at once and their announces are refused. Their owners see the reason and the end.
        {standing > 0 &&
          ` ${standing} of them ${standing === 1 ? 'is' : 'are'} banned already and will have this end, and this reason where you give one.`}
      </p>
    </BulkBanDialog>
  )
}

/** Takes back the bans of all of them. */
export function UnbanManyDialog({ servers, onDone, onClose }: ManyProps) {
  const client = useQueryClient()
  return (
    <BulkDialog
      words={['ban', 'bans', 'lifted']}
      title={`Lift the ban of ${countOf(servers)}?`}
      rows={servers}
      idOf={idOf}
      nameOf={nameOf}
      confirm="Lift bans"
      act={(server) => banOneOfMany(server, { banned: false })}
      onDone={(failed) => {
        readServersAnew(client)
        onDone(failed)
      }}
      onClose={onClose}
    >
      <p>Their announces are taken again, and each is back on the list with its next one.</p>
    </BulkDialog>
  )
}
