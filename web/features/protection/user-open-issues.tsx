import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyPart } from '#web/ui/lazy-part.tsx'
import { issuesOfUserOptions } from './protection.api.ts'

const OpenIssuesNote = lazyPart(() => import('./open-issues-note.tsx').then((part) => part.OpenIssuesNote))

export function UserOpenIssues({ userId }: { userId: string }) {
  const { data } = useQuery(issuesOfUserOptions(userId))
  if (!data?.length) return null
  return (
    <Suspense>
      <OpenIssuesNote issues={data} />
    </Suspense>
  )
}
