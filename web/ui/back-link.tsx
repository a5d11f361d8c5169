import { Link, type LinkProps } from '@tanstack/react-router'
import { ChevronLeft } from 'lucide-react'

export function BackLink({ to, children }: { to: NonNullable<LinkProps['to']>; children: string }) {
  return (
    <Link to={to} activeOptions={{ exact: true }} className="-ml-1 inline-flex min-h-6 items-center gap-1 rounded-6 pr-1 hover:text-ink-1">
      <ChevronLeft size={14} aria-hidden="true" />
      {children}
    </Link>
  )
}
