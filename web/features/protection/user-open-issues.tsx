import { type QueryClient, useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { lazyComponent } from '#web/ui/lazy-component.tsx'
import { issuesOfUserOptions } from './protection.api.ts'

const OpenIssuesLine = lazyComponent(
  () => import('./open-issues-line.tsx').then((module) => module.OpenIssuesLine),
  () => null,
)

/** Loads the line with the page. Arriving later, it would move the list below it. Without it, the page still works. */
export async function preloadOpenIssues(client: QueryClient, userId: string): Promise<void> {
  const issues = await client.ensureQueryData(issuesOfUserOptions(userId)).catch(() => [])
  if (issues.length > 0) await OpenIssuesLine.preload()
}

export function UserOpenIssues({ userId }: { userId: string }) {
  const { data } = useQuery(issuesOfUserOptions(userId))
  if (!data?.length) return null
  return (
    <Suspense>
      <OpenIssuesLine issues={data} />
    </Suspense>
  )
}
