import { useQuery } from '@tanstack/react-query'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { ListHistoryCards } from '#web/features/history/list-history.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { PageHeader } from '#web/ui/page-header.tsx'

export function AdminStatisticsPage() {
  // Otherwise it is read only once.
  const { data: now } = useQuery({ ...aboutOptions, refetchInterval: 10_000, refetchOnMount: 'always' })
  useTitle('Statistics')
  return (
    <>
      <PageHeader title="Statistics" below="Players and servers on the whole master list." />
      <ListHistoryCards now={{ players: now?.players_online, servers: now?.servers_online }} />
    </>
  )
}
