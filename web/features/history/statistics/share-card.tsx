import type { Statistics } from '#contract/history/statistics.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { Card } from '#web/ui/card.tsx'
import { ChartTable } from '#web/ui/chart/chart-table.tsx'
import { BarTable } from './bar-table.tsx'

type Counts = Statistics['online']

interface Share extends Counts {
  readonly name: string
}

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
export function ShareCard({ title, column, shares, total }: ShareCardProps) {
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
          <ChartTable
            columns={columns}
            rows={() => shares.map(({ name, players, servers }) => [name, formatNumber(players), formatNumber(servers)])}
          />
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
