import { X } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useId, useRef } from 'react'
import { IconButton } from '#web/ui/button.tsx'

interface SidePanelProps {
  /** The open row. */
  id: string
  title: ReactNode
  onClose: () => void
  children: ReactNode
}

/** One row beside its list, which stays usable. It takes the focus; Escape closes it and gives the focus back to the row. */
export function SidePanel({ id, title, onClose, children }: SidePanelProps) {
  const titleId = useId()
  const heading = useRef<HTMLHeadingElement>(null)
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    // What lies above (a dialog, a menu) closes first.
    if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector('dialog[open], [popover]:popover-open')) return
    if (event.target instanceof HTMLInputElement && event.target.type === 'search') return
    onClose()
  })
  const latest = useRef(id)
  useEffect(() => {
    latest.current = id
  }, [id])
  useEffect(() => {
    const title = heading.current
    title?.focus({ preventScroll: true })
    document.addEventListener('keydown', onKey)
    return () => {
      document.removeEventListener('keydown', onKey)
      // Whoever went elsewhere meanwhile stays there.
      if (document.activeElement !== document.body && !title?.closest('[role=dialog]')?.contains(document.activeElement)) return
      document.querySelector<HTMLElement>(`[data-row-link="${CSS.escape(latest.current)}"]`)?.focus({ preventScroll: true })
    }
  }, [])
  return (
    <div
      role="dialog"
      aria-labelledby={titleId}
      className="fixed inset-0 z-30 overflow-y-auto border-line bg-surface-1 p-5 shadow-overlay animate-[rise_0.12s_ease-out] [overflow-wrap:anywhere] sm:inset-y-0 sm:right-0 sm:left-auto sm:w-105 sm:border-l sm:p-6"
    >
      <div className="flex items-start justify-between gap-3">
        <h2 id={titleId} ref={heading} tabIndex={-1} className="min-w-0 pt-1 text-16 font-semibold outline-none">
          {title}
        </h2>
        <IconButton label="Close" onClick={onClose} className="-mt-1 -mr-1">
          <X size={18} aria-hidden="true" />
        </IconButton>
      </div>
      {children}
    </div>
  )
}
