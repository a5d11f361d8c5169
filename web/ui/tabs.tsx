import * as Radix from '@radix-ui/react-tabs'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from './class-names.ts'

const ROW = 'scroll-fade relative -mx-4 flex gap-1 overflow-x-auto border-b border-line px-4 [scrollbar-width:none] sm:mx-0 sm:px-0'
const TAB =
  '-mb-px shrink-0 border-b-2 border-transparent px-3 py-2.5 text-14 font-medium text-ink-3 outline-offset-[-3px] transition-colors duration-100 hover:text-ink-1 aria-selected:border-accent aria-selected:text-ink-1 aria-[current]:border-accent aria-[current]:text-ink-1 pointer-coarse:min-h-11'

interface TabsProps<T extends string> {
  label: string
  tabs: readonly { key: T; label: ReactNode; badge?: ReactNode }[]
  current: T
  onSelect: (key: T) => void
  /** On a phone, the row stays at the lower edge, where the thumb is. */
  isAtBottom?: boolean
  children: ReactNode
}

const AT_BOTTOM =
  'max-sm:sticky max-sm:bottom-0 max-sm:z-10 max-sm:order-last max-sm:mt-auto max-sm:border-t max-sm:border-b-0 max-sm:bg-surface-0'

export function Tabs<T extends string>({ label, tabs, current, onSelect, isAtBottom = false, children }: TabsProps<T>) {
  return (
    <Radix.Root
      value={current}
      onValueChange={(key) => onSelect(key as T)}
      data-bottom-tabs={isAtBottom || undefined}
      className={isAtBottom ? 'max-sm:flex max-sm:grow max-sm:flex-col' : undefined}
    >
      <Radix.List aria-label={label} className={cx(ROW, isAtBottom && AT_BOTTOM)}>
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.key}
            value={tab.key}
            ref={tab.key === current ? showInRow : undefined}
            // Only arrow keys select a tab by its focus, not a dialog that returns the focus.
            onFocus={(event) => event.relatedTarget?.role !== 'tab' && event.preventDefault()}
            className={TAB}
          >
            {tab.label}
            {tab.badge}
          </Radix.Trigger>
        ))}
      </Radix.List>
      <Radix.Content value={current} tabIndex={-1} className="pt-4 outline-none max-sm:pb-6 sm:pt-6">
        {children}
      </Radix.Content>
    </Radix.Root>
  )
}

export function LinkTabs({ label, tabs, current }: { label: string; tabs: readonly { to: string; label: ReactNode }[]; current: string }) {
  return (
    <nav aria-label={label} className={cx(ROW, 'mb-6')}>
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to as string}
          activeProps={{}}
          aria-current={tab.to === current ? 'page' : undefined}
          ref={tab.to === current ? showInRow : undefined}
          className={cx(TAB, 'inline-flex items-center')}
        >
          <span>{tab.label}</span>
        </Link>
      ))}
    </nav>
  )
}

/** Scrolls the row to the current tab, and keeps part of the tab on its left visible. */
function showInRow(tab: HTMLElement | null): void {
  const row = tab?.parentElement
  if (tab && row && tab.offsetLeft + tab.offsetWidth > row.scrollLeft + row.clientWidth) row.scrollLeft = tab.offsetLeft - 48
}
