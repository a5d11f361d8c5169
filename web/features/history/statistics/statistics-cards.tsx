import { useQuery } from '@tanstack/react-query'
import { PEAK_DAYS } from '#contract/history/statistics.ts'
import { m } from '#messages'
import { statisticsOptions } from '#web/features/history/history.api.ts'
import { languageName } from '#web/lib/language-name.ts'
import { messageOf } from '#web/lib/http/http-error.ts'
import { RetryNote } from '#web/ui/note.tsx'
import { GrowthCard } from './growth-card.tsx'
import { RankingCard } from './ranking-card.tsx'
import { ShareCard } from './share-card.tsx'

export function StatisticsCards() {
  const { data, error, refetch } = useQuery(statisticsOptions)
  if (error && !data) return <RetryNote onRetry={() => void refetch()}>{messageOf(error)}</RetryNote>
  return (
    <div className="grid grid-cols-1 gap-5 lg:grid-cols-2">
      <ShareCard
        title={m.statistics_languages()}
        column={m.statistics_language()}
        shares={data?.languages.map(({ language, ...counts }) => ({ name: languageName(language), ...counts }))}
        total={data?.online}
      />
      <ShareCard
        title={m.statistics_versions()}
        column={m.statistics_version()}
        shares={data?.versions.map(({ version, ...counts }) => ({ name: version || m.statistics_version_unknown(), ...counts }))}
        total={data?.online}
      />
      <GrowthCard growth={data?.growth} className="lg:col-span-2" />
      <RankingCard
        title={m.statistics_top_now()}
        about={m.statistics_top_now_about()}
        empty={m.statistics_nothing_online()}
        columns={[m.history_players(), m.statistics_slots()]}
        servers={data?.top_now.map(({ players, max_players, ...server }) => ({ ...server, numbers: [players, max_players] }))}
      />
      <RankingCard
        title={m.statistics_top_month({ days: PEAK_DAYS })}
        about={m.statistics_top_month_about()}
        empty={m.statistics_top_month_none()}
        columns={[m.history_peak(), m.history_average()]}
        servers={data?.top_month.map(({ peak, average, ...server }) => ({ ...server, numbers: [peak, average] }))}
      />
    </div>
  )
}
