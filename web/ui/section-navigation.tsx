import { Link, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { cx } from './class-names.ts'

interface SectionNavigationProps {
  label: string
  sections: readonly { to: string; label: string }[]
  current: string
  children: ReactNode
}

/** The sections of a page: links at its left, or a select on narrow screens. */
export function SectionNavigation({ label, sections, current, children }: SectionNavigationProps) {
  const navigate = useNavigate()
  return (
    <div className="lg:grid lg:grid-cols-[176px_minmax(0,720px)] lg:gap-8">
      <select
        aria-label={label}
        value={current}
        onChange={({ target }) => void navigate({ to: target.value })}
        className="field-input mb-6 max-w-[720px] lg:hidden"
      >
        {sections.map((section) => (
          <option key={section.to} value={section.to}>
            {section.label}
          </option>
        ))}
      </select>
      <nav aria-label={label} className="max-lg:hidden">
        <ul className="sticky top-6 -ml-3 space-y-0.5">
          {sections.map((section) => (
            <li key={section.to}>
              <Link
                to={section.to as string}
                activeProps={{}}
                aria-current={section.to === current ? 'page' : undefined}
                className={cx(
                  'flex min-h-9 items-center rounded-6 px-3 text-14 font-medium transition-colors duration-100 pointer-coarse:min-h-11',
                  section.to === current ? 'bg-surface-2 text-ink-1' : 'text-ink-2 hover:bg-surface-2 hover:text-ink-1',
                )}
              >
                {section.label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0 max-w-[720px]">{children}</div>
    </div>
  )
}
