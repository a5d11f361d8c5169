import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from './class-names.ts'
import { showInRow } from './show-in-row.ts'

interface LinkTabsProps {
  label: string
  tabs: readonly { to: string; label: ReactNode }[]
  /** The address of the tab that is open. */
  current: string
}

/** Tabs that are pages with an address each. */
export function LinkTabs({ label, tabs, current }: LinkTabsProps) {
  return (
    <nav
      aria-label={label}
      className="relative -mx-4 mb-6 flex gap-1 overflow-x-auto border-b border-line px-4 [scrollbar-width:none] sm:mx-0 sm:px-0"
    >
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to as string}
          activeProps={{}}
          aria-current={tab.to === current ? 'page' : undefined}
          ref={tab.to === current ? showInRow : undefined}
          className={cx(
            '-mb-px inline-flex shrink-0 items-center border-b-2 px-3 py-2.5 text-14 font-medium outline-offset-[-3px] transition-colors duration-100 pointer-coarse:min-h-11',
            tab.to === current ? 'border-accent text-ink-1' : 'border-transparent text-ink-3 hover:text-ink-1',
          )}
        >
          <span>{tab.label}</span>
        </Link>
      ))}
    </nav>
  )
}
