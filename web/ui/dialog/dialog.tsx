import { type ReactNode, useEffect, useId, useRef } from 'react'
import { cx } from '#web/ui/class-names.ts'

interface DialogProps {
  title: ReactNode
  /** Called on Escape and on backdrop clicks. Without it, only the dialog's own buttons close it. */
  onDismiss?: (() => void) | undefined
  /** For dialogs whose input a stray click would discard. */
  ignoreBackdrop?: boolean
  role?: 'dialog' | 'alertdialog'
  wide?: boolean
  children: ReactNode
}

/** A native modal dialog, which traps the focus. Restores the focus when it closes. */
export function Dialog({ title, onDismiss, ignoreBackdrop = false, role = 'dialog', wide = false, children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useEffect(() => {
    const dialog = ref.current
    const previous = document.activeElement
    dialog?.showModal()
    dialog?.querySelector<HTMLElement>('[data-focus-first]')?.focus()
    return () => {
      dialog?.close()
      if (previous instanceof HTMLElement && previous.isConnected) previous.focus()
    }
  }, [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a dialog handles Escape and backdrop clicks itself.
    <dialog
      ref={ref}
      role={role}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        // Browsers close a dialog on the second Escape, even if `cancel` is prevented.
        event.preventDefault()
        event.stopPropagation()
        onDismiss?.()
      }}
      onCancel={(event) => {
        event.preventDefault()
        if (event.target === ref.current) onDismiss?.()
      }}
      onMouseDown={(event) => {
        if (!ignoreBackdrop && event.target === ref.current && isOutside(event, event.currentTarget)) onDismiss?.()
      }}
      className={cx(
        'fixed inset-0 m-auto max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] scroll-pb-36 overflow-auto rounded-10 border border-line bg-surface-1 p-0 text-ink-1',
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

/** Clicks on the border, the scrollbar and the backdrop have the same target. */
function isOutside({ clientX, clientY }: { clientX: number; clientY: number }, dialog: HTMLElement): boolean {
  const { left, right, top, bottom } = dialog.getBoundingClientRect()
  return clientX < left || clientX > right || clientY < top || clientY > bottom
}

/** Stacks the buttons on a phone, with the safe one last. They stay visible while a long dialog scrolls. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-0 z-1 -mx-5 mt-3 -mb-5 flex flex-col-reverse gap-2 bg-surface-1 px-5 pt-3 pb-5 max-sm:border-t max-sm:border-line sm:-mx-6 sm:-mb-6 sm:flex-row sm:justify-end sm:px-6 sm:pb-6">
      {children}
    </div>
  )
}
