/** The keys of a list: `j` and `k` or the arrows move, `x` or space selects, Escape clears the selection. Enter follows the row's link. */
import { type FocusEvent, type KeyboardEvent, useEffect, useState } from 'react'
import type { RowData } from '@tanstack/react-table'
import { useHotkeys } from '#web/lib/hotkeys.ts'
import type { TableRow } from './list-table.tsx'

const rowIdOf = (element: Element | null) => element?.closest<HTMLElement>('[data-row]')?.dataset['row']

interface RowKeys<R extends RowData> {
  /** All rows in order, rendered or not. */
  rows: readonly TableRow<R>[]
  onClear?: () => void
  /** The row in the side panel. Moving shows another one there. */
  open?: string | undefined
  onOpen?: (id: string) => void
  /** Rows that are being replaced can't be selected. */
  isWaiting?: boolean
}

export function useRowKeys<R extends RowData>({ rows, onClear, open, onOpen, isWaiting = false }: RowKeys<R>) {
  const [activeId, setActiveId] = useState<string>()
  const [target, setTarget] = useState<{ id: string; takesFocus: boolean }>()
  // The row may be rendered only now.
  useEffect(() => {
    if (target === undefined) return
    const link = document.querySelector<HTMLElement>(`[data-row-link="${CSS.escape(target.id)}"]`)
    link?.closest('[data-row]')?.scrollIntoView({ block: 'nearest' })
    if (target.takesFocus) link?.focus({ preventScroll: true })
  }, [target])
  const currentIndex = () => {
    const id = rowIdOf(document.activeElement) ?? open
    return rows.findIndex((row) => row.id === id)
  }
  const move = (step: 1 | -1) => {
    const current = currentIndex()
    const id = rows[current === -1 ? (step === 1 ? 0 : rows.length - 1) : current + step]?.id
    if (id === undefined) return
    setActiveId(id)
    setTarget({ id, takesFocus: open === undefined })
    if (open !== undefined) onOpen?.(id)
  }
  const select = () => {
    const row = rows[currentIndex()]
    if (row?.getCanSelect() && !isWaiting) row.toggleSelected()
  }
  useHotkeys({ j: () => move(1), k: () => move(-1), x: select, ...(onClear && open === undefined && { escape: onClear }) })
  return {
    /** The row that has, or last had, the focus. */
    activeId,
    onFocus: (event: FocusEvent) => setActiveId(rowIdOf(event.target)),
    onKeyDown: (event: KeyboardEvent) => {
      if (!(event.target instanceof HTMLElement) || event.target.dataset['rowLink'] === undefined) return
      // Without a selection, the space bar scrolls.
      const space = rows[0]?.getCanSelect() ? select : undefined
      const action = { ArrowDown: () => move(1), ArrowUp: () => move(-1), ' ': space }[event.key]
      if (!action || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      event.preventDefault()
      action()
    },
  }
}
