import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { PEAK_DAYS, type Statistics } from '#contract/history/statistics.ts'
import { m } from '#messages'
import { Figure } from '#web/features/history/history-section.tsx'
import { statisticsOptions } from '#web/features/history/history.api.ts'
import { languageName } from '#web/lib/code-names.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Card } from '#web/ui/card.tsx'
import { stepTime } from '#web/ui/chart/chart-scale.ts'
import { ChartTable } from '#web/ui/chart/chart-table.tsx'
import { Chart } from '#web/ui/chart/chart.tsx'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { QueryPending } from '#web/ui/states.tsx'
import { BarTable } from './bar-table.tsx'

export function StatisticsCards() {
  const query = useQuery(statisticsOptions)
  const { data, error } = query
  if (error && !data) return <QueryPending query={query} />
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
      <GrowthCard growth={data?.growth} />
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

type Counts = Statistics['online']
type Share = Counts & { readonly name: string }

/** The rest is one bar. */
const MAX_BARS = 6

interface ShareCardProps {
  title: string
  /** The title of the first column. */
  column: string
  /** Most players first. Undefined while loading. */
  shares: readonly Share[] | undefined
  total: Counts | undefined
}

/** How players and servers divide among a few names. */
function ShareCard({ title, column, shares, total }: ShareCardProps) {
  const columns = [column, m.history_players(), m.nav_servers()] as const
  const bars = shares && total && barsOf(shares, total)
  return (
    <Card title={title}>
      <BarTable
        columns={columns}
        rows={bars?.map(({ name, players, servers }) => ({
          key: name,
          name: <span className="block truncate">{name}</span>,
          numbers: [players, servers],
        }))}
        empty={m.statistics_nothing_online()}
        className="mt-2 h-61 pointer-coarse:h-73"
      />
      <div className="mt-3 min-h-6 pointer-coarse:min-h-11">
        {shares && shares.length > 0 && (
          <ChartTable columns={columns} rows={() => shares.map(({ name, players, servers }) => [name, players, servers])} />
        )}
      </div>
    </Card>
  )
}

/** The first names, and all others together. */
function barsOf(shares: readonly Share[], total: Counts): readonly Share[] {
  if (shares.length <= MAX_BARS) return shares
  const shown = shares.slice(0, MAX_BARS - 1)
  const rest = (key: keyof Counts) => total[key] - shown.reduce((sum, share) => sum + share[key], 0)
  return [...shown, { name: m.statistics_others(), players: rest('players'), servers: rest('servers') }]
}

type Growth = Statistics['growth']

const WEEK_SECONDS = 7 * 86_400

/** @param growth undefined while loading. */
function GrowthCard({ growth }: { growth: Growth | undefined }) {
  const thisWeek = growth?.weeks.at(-1)
  const added = (count: number | undefined) => (count === undefined ? '\u00A0' : m.statistics_this_week({ count: formatNumber(count) }))
  return (
    <Card title={m.statistics_growth()} description={m.statistics_growth_about()} className="lg:col-span-2">
      <dl className="flex flex-wrap gap-x-10 gap-y-3">
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
            rows={() => growth.weeks.map(({ from, servers, users }) => [stepTime(Date.parse(from), WEEK_SECONDS), servers, users])}
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

interface RankedServer extends Pick<Statistics['top_now'][number], 'public_id' | 'name' | 'icon_url'> {
  /** The first decides the rank. */
  readonly numbers: readonly [number, number]
}

interface RankingCardProps {
  title: string
  about: string
  empty: string
  columns: readonly [string, string]
  /** Undefined while loading. */
  servers: readonly RankedServer[] | undefined
}

function RankingCard({ title, about, empty, columns, servers }: RankingCardProps) {
  const rows = servers?.map(({ public_id, name, icon_url, numbers }) => ({
    key: public_id,
    icon: <ImageTile id={public_id} name={name} url={icon_url} className="size-6 max-sm:hidden" />,
    name: (
      <Link
        to="/admin/servers/$server_id"
        params={{ server_id: public_id }}
        className="block truncate rounded-6 py-0.5 hover:underline pointer-coarse:py-2"
      >
        {name}
      </Link>
    ),
    numbers,
  }))
  return (
    <Card title={title} description={about}>
      <BarTable columns={[m.statistics_server(), ...columns]} rows={rows} empty={empty} className="h-97 pointer-coarse:h-117" />
    </Card>
  )
}
