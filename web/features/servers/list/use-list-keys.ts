/** The keys of the list: `j` and `k` or the arrows move, `x` or space selects, Escape clears the selection. Enter follows the row's link. */
import { type FocusEvent, type KeyboardEvent, useEffect, useState } from 'react'
import { useHotkeys } from '#web/lib/hotkeys.ts'

const rowIdOf = (element: Element | null) => element?.closest<HTMLElement>('[data-row]')?.dataset['row']

interface ListKeys {
  /** All rows in order, rendered or not. */
  ids: readonly string[]
  onSelect: (id: string) => void
  onClear: () => void
}

export function useListKeys({ ids, onSelect, onClear }: ListKeys) {
  const [activeId, setActiveId] = useState<string>()
  const [target, setTarget] = useState<{ id: string }>()
  // The row may be rendered only now.
  useEffect(() => {
    if (target === undefined) return
    const link = document.querySelector<HTMLElement>(`[data-row-link="${CSS.escape(target.id)}"]`)
    link?.closest('[data-row]')?.scrollIntoView({ block: 'nearest' })
    link?.focus({ preventScroll: true })
  }, [target])
  const move = (step: 1 | -1) => {
    const current = ids.indexOf(rowIdOf(document.activeElement) ?? '')
    const id = ids[current === -1 ? 0 : Math.min(Math.max(current + step, 0), ids.length - 1)]
    if (id === undefined) return
    setActiveId(id)
    setTarget({ id })
  }
  const select = () => {
    const id = rowIdOf(document.activeElement)
    if (id !== undefined) onSelect(id)
  }
  useHotkeys({ j: () => move(1), k: () => move(-1), x: select, escape: onClear })
  return {
    /** The row that has, or last had, the focus. */
    activeId,
    onFocus: (event: FocusEvent) => setActiveId(rowIdOf(event.target)),
    onKeyDown: (event: KeyboardEvent) => {
      if (!(event.target instanceof HTMLElement) || event.target.dataset['rowLink'] === undefined) return
      const action = { ArrowDown: () => move(1), ArrowUp: () => move(-1), ' ': select }[event.key]
      if (!action || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
      event.preventDefault()
      action()
    },
  }
}
