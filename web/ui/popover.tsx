import * as Radix from '@radix-ui/react-popover'
import type { ReactElement, ReactNode } from 'react'
import { focusFirst } from './dialog/dialog.tsx'
import { cx } from './class-names.ts'

interface PopoverProps {
  /** The button. */
  trigger: ReactElement
  label: string
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  side?: 'bottom' | 'right'
  /** The distance from the button, in pixels. */
  offset?: number
  className: string
  children: ReactNode
}

/** A panel beside its button. Escape and presses outside close it. */
export function Popover({ trigger, label, isOpen, onOpenChange, side = 'bottom', offset = 4, className, children }: PopoverProps) {
  return (
    <Radix.Root open={isOpen} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          aria-label={label}
          side={side}
          align="start"
          sideOffset={offset}
          collisionPadding={8}
          onOpenAutoFocus={focusFirst}
          className={cx('z-50 rounded-10 border border-line text-ink-1 shadow-overlay', className)}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}
