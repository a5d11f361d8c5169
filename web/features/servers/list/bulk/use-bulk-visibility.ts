import { useState } from 'react'
import { m } from '#messages'
import type { ShownServer } from '#web/features/servers/access.ts'
import { focusAfterRemoval, pageTitle } from '#web/lib/focus.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { counted } from '#web/ui/count-text.ts'
import { resultOf, runBulk } from '#web/ui/table/run-bulk.ts'
import { toastError, toastSuccess } from '#web/ui/toast.ts'
import type { ChangeDialogProps } from './bulk-change-dialog.tsx'
import { canChange } from './bulk-changes.ts'
import { useBulkChange } from './use-bulk-change.ts'

const idOf = ({ public_id: id }: ShownServer) => id

/** Shows or hides servers at once, because the toast can undo it. Those that failed stay selected, with the reason. */
export function useBulkVisibility(rows: readonly ShownServer[], onDone: ChangeDialogProps['onDone']) {
  const { change, offerUndo } = useBulkChange()
  const [pending, setPending] = useState<boolean>()
  const run = async (visible: boolean) => {
    const changeable = rows.filter((row) => canChange(row, 'visible'))
    const leftOut = rows.filter((row) => !changeable.includes(row))
    const reasons = new Map<string, string>()
    setPending(visible)
    const failed = await runBulk({
      rows: changeable,
      action: (row) => change(row, { field: 'visible', next: () => visible }),
      onOutcome: (row, outcome) => outcome?.ok === false && reasons.set(idOf(row), outcome.message),
      isCancelled: () => false,
      concurrency: 1,
    })
    setPending(undefined)
    onDone(new Set([...failed, ...leftOut].map(idOf)), reasons)
    const count = offerUndo()
    const isWhole = failed.length === 0 && leftOut.length === 0
    if (count === 0 && isWhole) toastSuccess(m.servers_bulk_changed(counted(0)))
    if (!isWhole) {
      const result = resultOf(changeable.length - failed.length, rows.length, m.servers_bulk_changed)
      toastError(
        result,
        [...new Set(reasons.values()), leftOut.length > 0 && m.servers_bulk_left_out(counted(leftOut.length))]
          .filter((text) => text !== false)
          .join(' '),
      )
    }
    // The bar disappears with the selection.
    focusAfterRemoval(() => document.querySelector<HTMLElement>('[data-list] [data-row-link]') ?? pageTitle())
  }
  return { pending, change: useSingleFlight(run) }
}
