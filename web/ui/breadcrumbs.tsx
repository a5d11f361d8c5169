import { Link } from '@tanstack/react-router'
import { ChevronRight } from 'lucide-react'
import { m } from '#messages'

/** @param ancestors outermost first */
export function Breadcrumbs({ ancestors, current }: { ancestors: readonly { to: string; label: string }[]; current: string }) {
  return (
    <nav aria-label={m.ui_breadcrumb()}>
      <ol className="flex min-w-0 flex-wrap items-center gap-x-1">
        {ancestors.map(({ to, label }) => (
          <li key={to} className="flex items-center gap-1">
            <Link to={to as string} activeOptions={{ exact: true }} className="inline-flex min-h-6 items-center rounded-6 hover:text-ink-1">
              {label}
            </Link>
            <ChevronRight size={14} aria-hidden="true" />
          </li>
        ))}
        <li aria-current="page" className="min-w-0 truncate">
          {current}
        </li>
      </ol>
    </nav>
  )
}
