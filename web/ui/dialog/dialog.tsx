import * as Radix from '@radix-ui/react-dialog'
import { type ReactNode, useState } from 'react'
import { focusPath, restoreFocus } from '#web/lib/recover-focus.ts'
import { cx } from '#web/ui/class-names.ts'
import { focusFirst } from '#web/ui/focus-first.ts'

interface DialogProps {
  title: ReactNode
  /** Called on Escape and on presses outside. Without it, only the dialog's own buttons close it. */
  onDismiss?: (() => void) | undefined
  /** For dialogs whose input a stray press would discard. */
  ignoreBackdrop?: boolean
  role?: 'dialog' | 'alertdialog'
  wide?: boolean
  children: ReactNode
}

/** A modal dialog. `data-focus-first` marks what gets the focus; otherwise the first control does. */
export function Dialog({ title, onDismiss, ignoreBackdrop = false, role = 'dialog', wide = false, children }: DialogProps) {
  const [opener] = useState(focusPath)
  return (
    <Radix.Root open onOpenChange={onDismiss}>
      <Radix.Portal>
        {/* Not Radix's: it locks the scroll with a style element, which the content security policy blocks. The body does not scroll. */}
        <div className="fixed inset-0 z-50 bg-(--scrim)" />
        <Radix.Content
          role={role}
          aria-modal
          aria-describedby={undefined}
          onOpenAutoFocus={focusFirst}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // A page that the dialog has opened may have the focus already.
            if (document.activeElement === document.body) restoreFocus(opener)
          }}
          onPointerDownOutside={(event) =>
            (ignoreBackdrop || (event.target as Element).closest('[data-sonner-toast]')) && event.preventDefault()
          }
          className={cx(
            'fixed inset-0 z-50 m-auto h-fit max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] scroll-pb-36 overflow-auto rounded-10 border border-line bg-surface-1',
            'text-ink-1 shadow-overlay outline-none animate-[rise_0.12s_ease-out]',
            wide ? 'max-w-[680px]' : 'max-w-[460px]',
          )}
        >
          <div className="relative p-5 [overflow-wrap:anywhere] sm:p-6">
            <Radix.Title className="text-16 font-semibold text-balance">{title}</Radix.Title>
            {children}
          </div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

/** Stacks the buttons on a phone, with the safe one last. They stay visible while a long dialog scrolls. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-0 z-1 -mx-5 mt-3 -mb-5 flex flex-col-reverse gap-2 bg-surface-1 px-5 pt-3 pb-5 max-sm:border-t max-sm:border-line sm:-mx-6 sm:-mb-6 sm:flex-row sm:justify-end sm:px-6 sm:pb-6">
      {children}
    </div>
  )
}
