import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { issuesOfUserOptions } from './protection.api.ts'

// Seldom there, so it is not a part of the first page.
const AllFindings = lazyPart(() => import('./all-findings.tsx').then((part) => part.AllFindings))

/** What the list's checks found about the servers of the owner, who looks, and what is still open. Nothing where there is nothing. */
export function Findings({ userId }: { userId: string }) {
  const { data } = useQuery(issuesOfUserOptions(userId))
  if (!data?.length) return null
  return (
    <Suspense>
      <AllFindings issues={data} />
    </Suspense>
  )
}
