import { Check, ChevronDown } from 'lucide-react'
import { type ReactNode, use, useRef, useState } from 'react'
import { m } from '#messages'
import { Button } from './button.tsx'
import { cx } from './class-names.ts'
import { loadedOnce, OpenedLater, type Trigger } from './opened-later.tsx'

const load = loadedOnce(() => import('@radix-ui/react-dropdown-menu'))
const useRadix = () => use(load())

interface MenuProps {
  /** The button. */
  trigger: Trigger
  label: string
  side?: 'bottom' | 'top'
  /** The edge of the button to align with. */
  align?: 'start' | 'end'
  children: ReactNode
}

export function Menu(props: MenuProps) {
  return (
    <OpenedLater trigger={props.trigger} popup="menu" load={load}>
      <OpenMenu {...props} />
    </OpenedLater>
  )
}

function OpenMenu({ trigger, label, side = 'bottom', align = side === 'top' ? 'start' : 'end', children }: MenuProps) {
  const Radix = useRadix()
  const [isOpen, setOpen] = useState(true)
  const button = useRef<HTMLButtonElement>(null)
  return (
    // Not modal: that locks the scroll with a style element, which the content security policy blocks.
    <Radix.Root open={isOpen} onOpenChange={setOpen} modal={false}>
      {/* Opens on a click, not on a press, because a finger may start to scroll there. */}
      <Radix.Trigger ref={button} asChild onPointerDown={(event) => event.preventDefault()} onClick={() => setOpen((wasOpen) => !wasOpen)}>
        {trigger}
      </Radix.Trigger>
      {/* In the main landmark, so that screen readers find it by landmark too. */}
      <Radix.Portal container={isOpen ? document.getElementById('main') : null}>
        <Radix.Content
          aria-label={label}
          aria-labelledby={undefined}
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          loop
          onInteractOutside={(event) => button.current?.contains(event.target as Node) && event.preventDefault()}
          // A dialog that an item opens keeps the focus.
          onCloseAutoFocus={(event) => document.activeElement !== document.body && event.preventDefault()}
          className="z-50 max-h-[70dvh] min-w-52 overflow-y-auto rounded-10 border border-line bg-surface-3 p-1 text-ink-1 shadow-overlay"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  )
}

interface MenuItemProps {
  icon?: ReactNode
  danger?: boolean
  onSelect: () => void
  children: ReactNode
}

const ITEM =
  'flex cursor-pointer items-center gap-2.5 rounded-6 px-2.5 py-1.5 text-14 select-none data-highlighted:bg-surface-2 pointer-coarse:min-h-11'

export function MenuItem({ icon, danger = false, onSelect, children }: MenuItemProps) {
  const Radix = useRadix()
  return (
    <Radix.Item onSelect={onSelect} className={cx(ITEM, danger && 'text-danger')}>
      <span className={cx('flex w-4 justify-center', !danger && 'text-ink-3')}>{icon}</span>
      {children}
    </Radix.Item>
  )
}

interface MenuCheckItemProps extends MenuItemProps {
  isChecked: boolean
  /** Whether several items may be checked at once. The menu then stays open. */
  multiple?: boolean
}

export function MenuCheckItem({ isChecked, multiple = false, icon, onSelect, children }: MenuCheckItemProps) {
  const Radix = useRadix()
  return (
    <Radix.CheckboxItem
      role={multiple ? 'menuitemcheckbox' : 'menuitemradio'}
      checked={isChecked}
      onSelect={(event) => {
        if (multiple) event.preventDefault()
        onSelect()
      }}
      className={ITEM}
    >
      <span className="flex w-4 justify-center text-ink-3">{icon ?? (isChecked && <Check size={15} className="text-accent" />)}</span>
      {children}
      {icon !== undefined && <span className={cx('ml-auto size-1.5 rounded-full', isChecked && 'bg-accent')} />}
    </Radix.CheckboxItem>
  )
}

export function MenuSeparator() {
  const Radix = useRadix()
  return <Radix.Separator className="my-1 border-t border-line" />
}

export function MenuLabel({ children }: { children: ReactNode }) {
  const Radix = useRadix()
  return <Radix.Label className="px-2.5 pt-1.5 pb-1 text-12 text-ink-3">{children}</Radix.Label>
}

export function ActionsMenu({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Menu
      label={m.ui_actions_for({ name })}
      trigger={
        <Button aria-label={m.ui_actions_for({ name })}>
          {m.ui_actions()}
          <ChevronDown size={15} aria-hidden="true" />
        </Button>
      }
    >
      {children}
    </Menu>
  )
}
