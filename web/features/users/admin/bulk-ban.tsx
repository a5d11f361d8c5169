import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AdminUserRow } from '#contract/users-admin.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { BanFields, useBanForm } from '#web/ui/ban-form.tsx'
import { Button } from '#web/ui/button.tsx'
import { BulkBar } from '#web/ui/table/bulk-bar.tsx'
import { BulkDialog } from '#web/ui/table/bulk-dialog.tsx'
import type { Selection } from '#web/ui/table/use-selection.ts'
import { banUser } from './change-user.ts'
import { keepUser } from './keep-user.ts'

const NOUNS = ['user', 'users'] as const

/** What can be done with several people at once. */
export function BulkBan({ selection }: { selection: Selection<AdminUserRow> }) {
  // Who was selected when it was asked for: the selection goes on under the dialog.
  const [asked, setAsked] = useState<{ act: 'ban' | 'lift'; rows: readonly AdminUserRow[] }>()
  const client = useQueryClient()
  const { rows } = selection
  const banned = rows.filter((row) => row.banned)
  const Many = asked?.act === 'ban' ? BanMany : LiftMany
  return (
    <>
      <BulkBar count={rows.length} nouns={NOUNS} onClear={selection.clear}>
        <Button look="danger" onClick={() => setAsked({ act: 'ban', rows })}>
          Ban…
        </Button>
        <Button disabled={banned.length === 0} onClick={() => setAsked({ act: 'lift', rows: banned })}>
          Lift bans…
        </Button>
      </BulkBar>
      {asked && (
        <Many
          rows={asked.rows}
          onDone={(failed) => {
            selection.keep(failed)
            void client.invalidateQueries({ queryKey: ['admin'] })
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

/** The list is read once they are all through; only what follows for oneself does not wait. */
function useBanOne() {
  const client = useQueryClient()
  return async (id: string, ban: Parameters<typeof banUser>[1]) => {
    const user = await banUser(id, ban)
    if (client.getQueryData(meOptions.queryKey)?.id === id) await keepUser(client, user)
  }
}

interface ManyProps {
  rows: readonly AdminUserRow[]
  onDone: (failed: ReadonlySet<string>) => void
  onClose: () => void
}

const common = { idOf: (row: AdminUserRow) => row.id, nameOf: (row: AdminUserRow) => row.discord.username }
const counted = (rows: readonly unknown[]) => `${rows.length} ${NOUNS[rows.length === 1 ? 0 : 1]}`

function BanMany(props: ManyProps) {
  const banOne = useBanOne()
  const form = useBanForm()
  const act = async ({ id }: AdminUserRow) => {
    const typed = form.read()
    if (typed) await banOne(id, { banned: true, banReason: typed.reason, banned_until: typed.banned_until })
  }
  return (
    <BulkDialog
      title={`Ban ${counted(props.rows)}?`}
      confirm="Ban"
      danger
      act={act}
      check={() => form.read() !== undefined}
      {...common}
      {...props}
    >
      <p>
        Their servers leave the list at once, and they can do nothing more here than read the reason and the end. Whoever is banned already
        gets this reason and this end.
      </p>
      <BanFields form={form} of="person" hint="Each of them reads it." />
    </BulkDialog>
  )
}

function LiftMany(props: ManyProps) {
  const banOne = useBanOne()
  const act = ({ id }: AdminUserRow) => banOne(id, { banned: false })
  return (
    <BulkDialog title={`Lift the bans of ${counted(props.rows)}?`} confirm="Lift bans" act={act} {...common} {...props}>
      <p>They can use everything again at once, and their servers are back on the list with their next announce.</p>
    </BulkDialog>
  )
}
