import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import type { ProtectionIssue } from '#contract/protection.ts'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { issuesOfUserOptions } from './protection.api.ts'

// Seldom there, so it is not a part of the first page.
const FindingsNote = lazyPart(() => import('./findings-note.tsx').then((part) => part.FindingsNote))

interface FindingsProps {
  /** The owner, who looks. */
  userId: string
  /** Only those of this server. */
  serverId?: string
  /** What the page says elsewhere already. */
  except?: readonly (string | undefined)[]
}

/** What the list's checks found and what is still open, each with the way to its page. Nothing where there is nothing. */
export function Findings({ userId, serverId, except = [] }: FindingsProps) {
  const { data = [] } = useQuery(issuesOfUserOptions(userId))
  const isMeant = ({ id, server }: ProtectionIssue) => (serverId === undefined || server?.public_id === serverId) && !except.includes(id)
  const open = data.filter((issue) => isInForce(issue) && isMeant(issue))
  if (open.length === 0) return null
  return (
    <Suspense>
      <FindingsNote issues={open} onServer={serverId !== undefined} />
    </Suspense>
  )
}

// As `isOpen` in words.ts, whose pictures stay out of the first page.
const isInForce = ({ status }: ProtectionIssue): boolean => status === 'OPEN' || status === 'ACKNOWLEDGED'
