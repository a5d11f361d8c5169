/** What shows in place of content: notes about errors, loading and emptiness. */
import { CircleAlert, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/call.ts'
import { Button } from './button.tsx'
import { cx } from './class-names.ts'

interface NoteProps {
  children: ReactNode
  className?: string | undefined
}

/** Announced by screen readers at once. */
export function ErrorNote({ children, className }: NoteProps) {
  return (
    <div role="alert" className={cx('flex gap-2.5 rounded-6 tint-danger px-3 py-2.5 text-13 text-danger', className)}>
      <CircleAlert size={16} className="mt-0.5 shrink-0" aria-hidden="true" />
      <div className="min-w-0 break-words">{children}</div>
    </div>
  )
}

export function RetryNote({ children, onRetry, className }: NoteProps & { onRetry: () => void }) {
  return (
    <ErrorNote className={className}>
      <span className="block">{children}</span>
      <Button className="mt-2" onClick={onRetry}>
        {m.common_try_again()}
      </Button>
    </ErrorNote>
  )
}

interface QueryPendingProps extends Partial<NoteProps> {
  query: { error: Error | null; refetch: () => Promise<unknown> }
}

/** Why a query failed. Without an error its children, such as a skeleton while it loads. */
export function QueryPending({ query: { error, refetch }, className, children }: QueryPendingProps) {
  if (error === null) return children
  return (
    <RetryNote className={className} onRetry={() => void refetch()}>
      {messageOf(error)}
    </RetryNote>
  )
}

export function WarnNote({ children, className }: NoteProps) {
  return (
    <div className={cx('flex gap-2.5 rounded-6 tint-warn px-3 py-2.5 text-13 text-ink-1', className)}>
      <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warn" aria-hidden="true" />
      <div className="min-w-0 break-words">{children}</div>
    </div>
  )
}

/** Appears after 150 ms, so a fast load does not flicker. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden="true" className={cx('animate-[appear_0.1s_0.15s_both] rounded-6 bg-surface-2', className)} />
}

export function SkeletonRows({ rows }: { rows: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <div key={row} className="flex gap-3">
      <Skeleton className="size-5 shrink-0 rounded-full" />
      <div className="flex-1 space-y-2">
        <Skeleton className="h-4 w-3/4" />
        <Skeleton className="h-3 w-24" />
      </div>
    </div>
  ))
}

interface EmptyStateProps {
  icon?: ReactNode
  title: string
  children: ReactNode
  action?: ReactNode
}

export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="rounded-10 border border-dashed border-line px-6 py-10 text-center">
      {icon !== undefined && (
        <div className="mx-auto mb-3 flex size-14 items-center justify-center rounded-full bg-surface-2 text-ink-3">{icon}</div>
      )}
      <h2 className="text-16 font-semibold">{title}</h2>
      <div className="mx-auto mt-1.5 max-w-lg text-pretty text-ink-2">{children}</div>
      {action !== undefined && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
