/** The actions for the selected servers of the list. */
import { useState } from 'react'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { Button } from '#web/ui/button.tsx'
import { BulkBar } from '#web/ui/table/bulk-bar.tsx'
import type { Selection } from '#web/ui/table/use-list-table.ts'
import type { ChangeDialogProps } from './bulk-change-dialog.tsx'
import { GroupDialog } from './group-dialog.tsx'
import { TagsDialog } from './tags-dialog.tsx'
import { useBulkVisibility } from './use-bulk-visibility.ts'

interface BulkActionsProps {
  selection: Selection<ShownServer>
  onClear: () => void
  onDone: ChangeDialogProps['onDone']
}

type Dialog = 'add tags' | 'remove tags' | 'group'

export function BulkActions({ selection, onClear, onDone }: BulkActionsProps) {
  const [dialog, setDialog] = useState<Dialog>()
  // A snapshot, because the selection shrinks while the dialog shows the result.
  const [rows, setRows] = useState<readonly ShownServer[]>([])
  const visibility = useBulkVisibility(selection.rows, onDone)
  const open = (which: Dialog) => {
    setRows(selection.rows)
    setDialog(which)
  }
  const common = { rows, onDone, onClose: () => setDialog(undefined) }
  return (
    <>
      <BulkBar count={selection.rows.length} countText={m.count_servers} onClear={onClear}>
        <Button busy={visibility.pending === true} onClick={() => visibility.change(true)}>
          {m.servers_bulk_show()}
        </Button>
        <Button busy={visibility.pending === false} onClick={() => visibility.change(false)}>
          {m.servers_bulk_hide()}
        </Button>
        <Button onClick={() => open('add tags')}>{m.servers_bulk_add_tags()}</Button>
        <Button onClick={() => open('remove tags')}>{m.servers_bulk_remove_tags()}</Button>
        <Button onClick={() => open('group')}>{m.servers_bulk_move()}</Button>
      </BulkBar>
      {(dialog === 'add tags' || dialog === 'remove tags') && <TagsDialog {...common} kind={dialog} />}
      {dialog === 'group' && <GroupDialog {...common} />}
    </>
  )
}
