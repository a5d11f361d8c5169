import { cloneElement, type HTMLAttributes, type ReactElement, type ReactNode, Suspense, useState } from 'react'

export type Trigger = ReactElement<HTMLAttributes<HTMLElement>>

interface OpenedLaterProps {
  /** The button. */
  trigger: Trigger
  popup: 'menu' | 'dialog'
  /** Loads the code of the overlay. */
  load: () => Promise<unknown>
  onOpen?: () => void
  /** The button with the open overlay. */
  children: ReactNode
}

/** Loads code when it is first needed. A load that failed can be repeated. */
export function loadedOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    }))
}

/** Only the button, until it is first pressed. The code of menus and popovers is a fifth of the first page, and most visits open none. */
export function OpenedLater({ trigger, popup, load, onOpen, children }: OpenedLaterProps) {
  const [isPressed, setPressed] = useState(false)
  const open = () => {
    setPressed(true)
    onOpen?.()
  }
  const button = cloneElement(trigger, {
    'aria-haspopup': popup,
    'aria-expanded': false,
    onPointerEnter: () => void load().catch(() => {}),
    onClick: open,
    onKeyDown: ({ key }) => key === 'ArrowDown' && popup === 'menu' && open(),
  })
  return isPressed ? <Suspense fallback={button}>{children}</Suspense> : button
}
