import { Link } from '@tanstack/react-router'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { cx } from './class-names.ts'

const ROW = 'scroll-fade relative -mx-4 flex gap-1 overflow-x-auto border-b border-line px-4 [scrollbar-width:none] sm:mx-0 sm:px-0'

function tabClass(isCurrent: boolean): string {
  return cx(
    '-mb-px shrink-0 border-b-2 px-3 py-2.5 text-14 font-medium outline-offset-[-3px] transition-colors duration-100 pointer-coarse:min-h-11',
    isCurrent ? 'border-accent text-ink-1' : 'border-transparent text-ink-3 hover:text-ink-1',
  )
}

interface TabsProps<T extends string> {
  label: string
  tabs: readonly { key: T; label: ReactNode }[]
  current: T
  onSelect: (key: T) => void
  children: ReactNode
}

/** Arrow keys, Home and End move the focus and select the tab. */
export function Tabs<T extends string>({ label, tabs, current, onSelect, children }: TabsProps<T>) {
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => {
    const index = tabs.findIndex((tab) => tab.key === current)
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -index, End: tabs.length - 1 - index }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = tabs[(index + step + tabs.length) % tabs.length]
    if (!next) return
    onSelect(next.key)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.key}"]`)?.focus()
  }
  return (
    <>
      <div ref={list} role="tablist" aria-label={label} tabIndex={-1} onKeyDown={onKeyDown} className={ROW}>
        {tabs.map((tab) => (
          <button
            key={tab.key}
            type="button"
            role="tab"
            id={`tab-${tab.key}`}
            data-tab={tab.key}
            ref={tab.key === current ? showInRow : undefined}
            aria-selected={tab.key === current}
            aria-controls="tab-panel"
            tabIndex={tab.key === current ? 0 : -1}
            onClick={() => onSelect(tab.key)}
            className={tabClass(tab.key === current)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="tab-panel" aria-labelledby={`tab-${current}`} className="pt-4 sm:pt-6">
        {children}
      </div>
    </>
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
          className={cx(tabClass(tab.to === current), 'inline-flex items-center')}
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
