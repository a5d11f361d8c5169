/** The actions for the selected servers of the list. */
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { BulkBar, type BulkTarget } from '#web/ui/table/bulk-bar.tsx'
import type { Selection } from '#web/ui/table/use-list-table.ts'
import { GroupDialog } from './group-dialog.tsx'
import { TagsDialog } from './tags-dialog.tsx'
import { useBulkVisibility } from './use-bulk-visibility.ts'

interface BulkActionsProps {
  selection: Selection<ShownServer>
  onClear: () => void
  /** Gets why servers failed. */
  onDone: (reasons: ReadonlyMap<string, string>) => void
}

export function BulkActions({ selection, onClear, onDone }: BulkActionsProps) {
  const visibility = useBulkVisibility(selection, onDone)
  return (
    <BulkBar
      selection={selection}
      countText={m.count_servers}
      actions={[
        { label: m.servers_bulk_show(), isBusy: visibility.pending === true, onClick: () => visibility.change(true) },
        { label: m.servers_bulk_hide(), isBusy: visibility.pending === false, onClick: () => visibility.change(false) },
        { label: m.servers_bulk_add_tags(), dialog: (target: BulkTarget<ShownServer>) => <TagsDialog {...target} kind="add tags" /> },
        { label: m.servers_bulk_remove_tags(), dialog: (target: BulkTarget<ShownServer>) => <TagsDialog {...target} kind="remove tags" /> },
        { label: m.servers_bulk_move(), dialog: (target: BulkTarget<ShownServer>) => <GroupDialog {...target} /> },
      ]}
      onDone={(_remaining, reasons) => onDone(reasons)}
      onClear={onClear}
    />
  )
}
