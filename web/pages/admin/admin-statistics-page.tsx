import { useQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { ListHistoryCards } from '#web/features/history/list-history.tsx'
import { StatisticsCards } from '#web/features/history/statistics/statistics-cards.tsx'
import { useTitle } from '#web/lib/use-title.ts'
import { PageHeader } from '#web/ui/page-header.tsx'

export function AdminStatisticsPage() {
  // Polls: `aboutOptions` alone is fetched once.
  const { data: about } = useQuery({ ...aboutOptions, refetchInterval: 10_000, refetchOnMount: 'always' })
  useTitle(m.nav_statistics())
  return (
    <>
      <PageHeader title={m.nav_statistics()} below={m.statistics_page_about()} />
      <div className="space-y-5">
        <ListHistoryCards now={{ players: about?.players_online, servers: about?.servers_online }} />
        <StatisticsCards />
      </div>
    </>
  )
}
