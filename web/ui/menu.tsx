import { type KeyboardEvent, type MouseEvent, type ReactNode, useId, useRef } from 'react'
import { cx } from './class-names.ts'

interface MenuProps {
  trigger: (props: { popoverTarget: string; 'aria-haspopup': 'menu'; id: string }) => ReactNode
  label: string
  side?: 'below' | 'above'
  /** The edge of the button to align with. */
  align?: 'start' | 'end'
  children: ReactNode
}

/** Arrow keys, Home, End and first letters move the focus. Escape closes the menu and restores the focus. */
export function Menu({ trigger, label, side = 'below', align = side === 'above' ? 'start' : 'end', children }: MenuProps) {
  const id = useId()
  const ref = useRef<HTMLDivElement>(null)
  const items = () => [...(ref.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])]
  const button = () => document.getElementById(`${id}-button`)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Tab') ref.current?.hidePopover()
    const all = items()
    const next = nextItem(all, all.indexOf(document.activeElement as HTMLElement), event.key)
    if (!next) return
    event.preventDefault()
    next.focus()
  }
  return (
    <>
      {trigger({ popoverTarget: id, 'aria-haspopup': 'menu', id: `${id}-button` })}
      {/* oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- its items take the focus */}
      <div
        ref={ref}
        id={id}
        role="menu"
        tabIndex={-1}
        aria-label={label}
        popover="auto"
        onKeyDown={onKeyDown}
        onClick={(event) => {
          if (event.target instanceof Element && event.target.closest('[role^=menuitem]')) ref.current?.hidePopover()
        }}
        onToggle={(event) => {
          if (event.newState !== 'open') return
          place(ref.current, button(), side, align)
          items()[0]?.focus()
        }}
        className="fixed inset-auto m-0 max-h-[70dvh] min-w-52 overflow-y-auto rounded-10 border border-line bg-surface-3 p-1 text-ink-1 shadow-overlay"
      >
        {children}
      </div>
    </>
  )
}

function nextItem(items: HTMLElement[], current: number, key: string): HTMLElement | undefined {
  if (key === 'ArrowDown') return items[(current + 1) % items.length]
  if (key === 'ArrowUp') return items[(current - 1 + items.length) % items.length]
  if (key === 'Home') return items[0]
  if (key === 'End') return items.at(-1)
  if (key.length !== 1) return undefined
  const afterCurrent = [...items.slice(current + 1), ...items.slice(0, current + 1)]
  return afterCurrent.find((item) => item.textContent.trim().toLowerCase().startsWith(key.toLowerCase()))
}

function place(menu: HTMLElement | null, button: HTMLElement | null, side: 'below' | 'above', align: 'start' | 'end'): void {
  if (!menu || !button) return
  const box = button.getBoundingClientRect()
  const { width, height } = menu.getBoundingClientRect()
  const fitsBelow = box.bottom + height + 12 < innerHeight
  const top = (side === 'below' && fitsBelow) || box.top - height < 8 ? box.bottom + 4 : box.top - height - 4
  const left = align === 'start' ? box.left : box.right - width
  menu.style.top = `${Math.max(8, Math.min(top, innerHeight - height - 8))}px`
  menu.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`
}

interface MenuItemProps {
  role?: 'menuitem' | 'menuitemradio' | 'menuitemcheckbox'
  'aria-checked'?: boolean
  icon?: ReactNode
  danger?: boolean
  onSelect: (event: MouseEvent) => void
  children: ReactNode
}

export function MenuItem({ role = 'menuitem', icon, danger = false, onSelect, children, ...aria }: MenuItemProps) {
  return (
    <button
      type="button"
      role={role}
      {...aria}
      tabIndex={-1}
      onClick={onSelect}
      className={cx(
        'flex w-full items-center gap-2.5 rounded-6 px-2.5 py-1.5 text-left text-14 text-ink-1 hover:bg-surface-2 focus-visible:bg-surface-2 pointer-coarse:min-h-11',
        danger && 'text-danger',
      )}
    >
      <span className={cx('flex w-4 justify-center', !danger && 'text-ink-3')}>{icon}</span>
      {children}
    </button>
  )
}

export function MenuRadioItem({ checked, children, ...rest }: MenuItemProps & { checked: boolean }) {
  return (
    <MenuItem {...rest} role="menuitemradio" aria-checked={checked}>
      <span className="flex-1">{children}</span>
      <span className={cx('size-1.5 rounded-full', checked && 'bg-accent')} />
    </MenuItem>
  )
}

export function MenuSeparator() {
  return <hr className="my-1 border-line" />
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <div className="px-2.5 pt-1.5 pb-1 text-12 text-ink-3">{children}</div>
}
