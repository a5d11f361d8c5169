import { type ReactNode, use } from 'react'
import { cx } from './class-names.ts'
import { focusFirst } from './focus-first.ts'
import { loadedOnce, OpenedLater, type Trigger } from './opened-later.tsx'

const load = loadedOnce(() => import('@radix-ui/react-popover'))

interface PopoverProps {
  /** The button. */
  trigger: Trigger
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
export function Popover(props: PopoverProps) {
  return (
    <OpenedLater trigger={props.trigger} popup="dialog" load={load} onOpen={() => props.onOpenChange(true)}>
      <OpenPopover {...props} />
    </OpenedLater>
  )
}

function OpenPopover({ trigger, label, isOpen, onOpenChange, side = 'bottom', offset = 4, className, children }: PopoverProps) {
  const Radix = use(load())
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
