import { useState } from 'react'
import type { AdminServer } from '#contract/servers-admin.ts'
import { Button } from '#web/ui/button.tsx'
import { BulkBar } from '#web/ui/table/bulk-bar.tsx'
import type { Selection } from '#web/ui/table/use-selection.ts'
import { BanManyDialog, UnbanManyDialog } from './ban-many.tsx'

const NOUNS = ['server', 'servers'] as const

/** What can be done with several servers at once. */
export function ServersBulk({ selection }: { selection: Selection<AdminServer> }) {
  // What was selected when it was asked for: the selection goes on under the dialog.
  const [asked, setAsked] = useState<{ act: 'ban' | 'lift'; rows: readonly AdminServer[] }>()
  const { rows } = selection
  const banned = rows.filter((row) => row.banned)
  const Many = asked?.act === 'ban' ? BanManyDialog : UnbanManyDialog
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
      {asked && <Many servers={asked.rows} onDone={selection.keep} onClose={() => setAsked(undefined)} />}
    </>
  )
}
