import { type ReactNode, useEffect, useId, useRef } from 'react'
import { cx } from './class-names.ts'

interface DialogProps {
  title: ReactNode
  /** Called on Escape and for the backdrop; without it only the dialog's own buttons close it. */
  onDismiss?: (() => void) | undefined
  /** For dialogs with input that a missed click would lose. */
  keepOnBackdrop?: boolean
  role?: 'dialog' | 'alertdialog'
  wide?: boolean
  children: ReactNode
}

/** On the browser's own element: it holds the focus and gives it back. */
export function Dialog({ title, onDismiss, keepOnBackdrop = false, role = 'dialog', wide = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    const before = document.activeElement
    dialog?.showModal()
    dialog?.querySelector<HTMLElement>('[data-focus-first]')?.focus()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape and the backdrop are the dialog's own.
    <dialog
      ref={ref}
      role={role}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // The browser would close on a second Escape even where the dialog must stay.
        event.preventDefault()
        event.stopPropagation()
        onDismiss?.()
      }}
      onCancel={(event) => {
        event.preventDefault()
        if (event.target === ref.current) onDismiss?.()
      }}
      onMouseDown={(event) => {
        if (!keepOnBackdrop && event.target === ref.current && isOutside(event, event.currentTarget)) onDismiss?.()
      }}
      className={cx(
        'fixed inset-0 m-auto max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] overflow-auto rounded-10 border border-line bg-surface-1 p-0 text-ink-1',
        'shadow-overlay backdrop:bg-(--scrim) open:animate-[rise_0.12s_ease-out]',
        wide ? 'max-w-[680px]' : 'max-w-[460px]',
      )}
    >
      <div className="relative p-5 [overflow-wrap:anywhere] sm:p-6">
        <h2 id={titleId} className="text-16 font-semibold text-balance">
          {title}
        </h2>
        {children}
      </div>
    </dialog>
  )
}

/** Border and scrollbar have the same event target as the backdrop. */
function isOutside({ clientX, clientY }: { clientX: number; clientY: number }, dialog: HTMLElement): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}

/** On a phone they stand above each other, the safe one last. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-6 flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">{children}</div>
}
