import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
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
export function Findings({ userId, ...which }: FindingsProps) {
  const { data } = useQuery(issuesOfUserOptions(userId))
  if (!data?.length) return null
  return (
    <Suspense>
      <FindingsNote issues={data} {...which} />
    </Suspense>
  )
}
