import { Link, type LinkProps } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'
import type { ReactNode } from 'react'

interface PageHeaderProps {
  title: ReactNode
  beside?: ReactNode
  above?: ReactNode
  below?: ReactNode
  action?: ReactNode
}

export function PageHeader({ title, beside, above, below, action }: PageHeaderProps) {
  return (
    <header className="mb-6">
      {above !== undefined && <div className="mb-2 text-13 text-ink-3">{above}</div>}
      <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2">
          <h1 tabIndex={-1} className="min-w-0 outline-none text-20 font-semibold tracking-[-0.01em] break-words">
            {title}
          </h1>
          {beside}
        </div>
        {action !== undefined && <div className="flex flex-wrap gap-2">{action}</div>}
      </div>
      {below !== undefined && <div className="mt-1.5 text-13 text-ink-2">{below}</div>}
    </header>
  )
}

export function BackLink({ to, children }: { to: NonNullable<LinkProps['to']>; children: string }) {
  return (
    <Link to={to} activeOptions={{ exact: true }} className="-ml-1 inline-flex min-h-6 items-center gap-1 rounded-6 pr-1 hover:text-ink-1">
      <ChevronLeft size={14} aria-hidden="true" />
      {children}
    </Link>
  )
}
