import { type KeyboardEvent, useRef } from 'react'
import { useHotkeys } from '#web/lib/hotkeys.ts'
import type { Selection } from './use-selection.ts'

export function useRowKeys<R>(
  rows: readonly R[],
  idOf: (row: R) => string,
  open: string | undefined,
  onOpen: (id: string) => void,
  selection: Selection<R> | undefined,
) {
  const table = useRef<HTMLTableElement>(null)
  const links = () => [...(table.current?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])]
  const focusedIndex = () => {
    const row = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'] ?? open
    return rows.findIndex((each) => idOf(each) === row)
  }
  const move = (step: 1 | -1) => {
    const current = focusedIndex()
    const next = current === -1 ? (step === 1 ? 0 : rows.length - 1) : Math.min(Math.max(current + step, 0), rows.length - 1)
    const row = rows[next]
    if (row === undefined || next === current) return
    const link = links()[next]
    link?.scrollIntoView({ block: 'nearest' })
    if (open === undefined) link?.focus({ preventScroll: true })
    else onOpen(idOf(row))
  }
  const select = () => {
    const row = rows[focusedIndex()]
    if (row !== undefined) selection?.toggle(row, false)
  }
  useHotkeys({ j: () => move(1), k: () => move(-1), ...(selection && { x: select }) })
  const onKeyDown = (event: KeyboardEvent) => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset['rowLink'] === undefined) return
    // Without a selection, the space bar scrolls.
    const action = { ArrowDown: () => move(1), ArrowUp: () => move(-1), ...(selection && { ' ': select }) }[event.key]
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    action()
  }
  return { table, onKeyDown }
}
