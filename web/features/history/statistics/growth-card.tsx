import type { Statistics } from '#contract/history/statistics.ts'
import { m } from '#messages'
import { Figure } from '#web/features/history/history-section.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { Card } from '#web/ui/card.tsx'
import { Chart } from '#web/ui/chart/chart.tsx'
import { stepTime } from '#web/ui/chart/chart-scale.ts'
import { ChartTable } from '#web/ui/chart/chart-table.tsx'

type Growth = Statistics['growth']

const WEEK_SECONDS = 7 * 86_400

/** @param growth undefined while loading. */
export function GrowthCard({ growth, className }: { growth: Growth | undefined; className: string }) {
  const thisWeek = growth?.weeks.at(-1)
  const added = (count: number | undefined) => (count === undefined ? '\u00A0' : m.statistics_this_week({ count: formatNumber(count) }))
  return (
    <Card title={m.statistics_growth()} className={className}>
      <p className="mt-0.5 text-13 text-ink-2">{m.statistics_growth_about()}</p>
      <dl className="mt-3 flex flex-wrap gap-x-10 gap-y-3">
        <Figure label={m.nav_servers()} value={growth && formatNumber(growth.servers)} at={added(thisWeek?.servers)} />
        <Figure label={m.nav_users()} value={growth && formatNumber(growth.users)} at={added(thisWeek?.users)} />
      </dl>
      <div className="mt-4">
        <Chart label={m.statistics_growth()} data={growth && chartOf(growth)} />
      </div>
      <div className="mt-3 min-h-6 pointer-coarse:min-h-11">
        {growth && (
          <ChartTable
            columns={[m.statistics_week(), m.statistics_new_servers(), m.statistics_new_users()]}
            rows={() =>
              growth.weeks.map(({ from, servers, users }) => [
                stepTime(Date.parse(from), WEEK_SECONDS),
                formatNumber(servers),
                formatNumber(users),
              ])
            }
          />
        )}
      </div>
    </Card>
  )
}

function chartOf({ weeks }: Growth) {
  return {
    times: weeks.map(({ from }) => Date.parse(from)),
    stepSeconds: WEEK_SECONDS,
    lines: [
      { label: m.statistics_new_servers(), values: weeks.map(({ servers }) => servers), type: 'area' },
      { label: m.statistics_new_users(), values: weeks.map(({ users }) => users), type: 'line' },
    ],
  } as const
}
