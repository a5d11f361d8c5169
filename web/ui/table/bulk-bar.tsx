import type { RowData } from '@tanstack/react-table'
import { X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { m } from '#messages'
import { Button, IconButton } from '#web/ui/button.tsx'
import { counted, type CountText } from '#web/ui/count-text.ts'
import type { BulkDialogProps } from './bulk-dialog.tsx'
import type { Selection } from './list-table.tsx'

/** What the dialog of an action gets. Its rows are a snapshot: the selection shrinks while the dialog shows the result. */
export type BulkTarget<R> = Pick<BulkDialogProps<R>, 'rows' | 'idOf' | 'nameOf' | 'onDone' | 'onClose'>

interface BulkAction<R> {
  label: string
  isDanger?: boolean
  isBusy?: boolean
  isDisabled?: boolean
  /** The selected rows that it is for. The default is all of them. */
  rows?: readonly R[]
  /** Either a dialog, or what a click does. */
  dialog?: (target: BulkTarget<R>) => ReactNode
  onClick?: () => void
}

interface BulkBarProps<R extends RowData> {
  selection: Selection<R>
  countText: CountText
  actions: readonly BulkAction<R>[]
  /** Rows that failed or were not reached stay selected. */
  onDone?: BulkTarget<R>['onDone']
  onClear?: () => void
}

/** The actions for the selected rows. */
export function BulkBar<R extends RowData>({ selection, countText, actions, onDone, onClear = selection.clear }: BulkBarProps<R>) {
  const [opened, setOpened] = useState<{ label: string; rows: readonly R[] }>()
  const { rows: selected, idOf, nameOf } = selection
  const count = selected.length
  const text = m.ui_bulk_selected({ items: countText(counted(count)) })
  const dialog = actions.find(({ label }) => label === opened?.label)?.dialog
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 ? text : ''}
      </p>
      {count > 0 && (
        <div
          role="group"
          aria-label={m.ui_bulk_actions()}
          className="sticky bottom-4 z-10 mt-3 flex flex-wrap items-center gap-2 rounded-10 border border-line bg-surface-3 px-4 py-2.5 shadow-overlay max-[30rem]:gap-1.5 max-[30rem]:px-2.5 max-[30rem]:[&_button]:px-2.5"
        >
          <span className="mr-auto text-13 font-medium tabular-nums">
            <span className="max-[30rem]:hidden">{text}</span>
            <span className="min-[30rem]:hidden">{m.ui_bulk_selected({ items: counted(count).shown })}</span>
          </span>
          {actions.map(({ label, isDanger, isBusy = false, isDisabled = false, rows = selected, onClick }) => (
            <Button
              key={label}
              {...(isDanger && { variant: 'danger' as const })}
              busy={isBusy}
              disabled={isDisabled || rows.length === 0}
              onClick={onClick ?? (() => setOpened({ label, rows }))}
            >
              {label}
            </Button>
          ))}
          <IconButton label={m.ui_bulk_clear()} onClick={onClear} className="max-[30rem]:ml-auto">
            <X size={17} aria-hidden="true" />
          </IconButton>
        </div>
      )}
      {opened &&
        dialog?.({
          rows: opened.rows,
          idOf,
          nameOf,
          onDone: (remaining, reasons) => {
            selection.unselect(new Set(opened.rows.map(idOf).filter((id) => !remaining.has(id))))
            onDone?.(remaining, reasons)
          },
          onClose: () => setOpened(undefined),
        })}
    </>
  )
}
