import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { issuesOfUserOptions } from './protection.api.ts'

const OpenIssuesNote = lazyComponent(() => import('./open-issues-note.tsx').then((module) => module.OpenIssuesNote))

export function UserOpenIssues({ userId }: { userId: string }) {
  const { data } = useQuery(issuesOfUserOptions(userId))
  if (!data?.length) return null
  return (
    <Suspense>
      <OpenIssuesNote issues={data} />
    </Suspense>
  )
}
