/** For administrators, who receive no events about other users' issues. */
import { m } from '#messages'
import { isStatus } from '#web/lib/http/http-error.ts'
import { QueryPending, WarnNote } from '#web/ui/note.tsx'

export const POLLING = { refetchInterval: 10_000, refetchOnMount: 'always', retryOnMount: true } as const

interface RefreshErrorProps {
  query: { error: Error | null; refetch: () => Promise<unknown> }
  className: string
}

/** Shown above a cached issue after its refresh failed. */
export function RefreshErrorNote({ query, className }: RefreshErrorProps) {
  if (isStatus(query.error, 404)) return <WarnNote className={className}>{m.protection_issue_erased()}</WarnNote>
  return <QueryPending query={query} className={className} />
}
