import { type RefObject, useLayoutEffect, useSyncExternalStore } from 'react'

const narrow = matchMedia('(width < 64rem)')

function subscribe(onChange: () => void): () => void {
  narrow.addEventListener('change', onChange)
  return () => narrow.removeEventListener('change', onChange)
}

/** Whether the panel covers what it is beside, for want of room: nothing else can be reached then. */
export function useCovering(panel: RefObject<HTMLElement | null>): boolean {
  const covers = useSyncExternalStore(subscribe, () => narrow.matches)
  // After each drawing: what is behind may have been drawn anew.
  useLayoutEffect(() => (covers && panel.current ? keepOut(panel.current) : undefined))
  return covers
}

function keepOut(panel: HTMLElement): () => void {
  const kept: HTMLElement[] = []
  for (let within: HTMLElement = panel; within.parentElement && within !== document.body; within = within.parentElement) {
    for (const other of within.parentElement.children) {
      if (other === within || !(other instanceof HTMLElement) || other.inert || other.matches('dialog, [aria-live], script, style'))
        continue
      other.inert = true
      kept.push(other)
    }
  }
  return () => {
    for (const other of kept) other.inert = false
  }
}
