import type { Statistics } from '#contract/history/statistics.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { Card } from '#web/ui/card.tsx'
import { ChartTable } from '#web/ui/chart/chart-table.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { SampleBars } from './sample-bars.tsx'

type Counts = Statistics['online']

interface Share extends Counts {
  readonly name: string
}

/** The rest is one bar. */
const MAX_BARS = 6

/** The same height with one bar, with all bars, and while loading. */
const BARS = 'mt-3 flex min-h-75 flex-col gap-3'

interface ShareCardProps {
  title: string
  /** The title of the table's first column. */
  column: string
  /** Most players first. Undefined while loading. */
  shares: readonly Share[] | undefined
  total: Counts | undefined
}

/** How players and servers divide among a few names. */
export function ShareCard({ title, column, shares, total }: ShareCardProps) {
  return (
    <Card title={title}>
      <div className="mt-2 flex flex-wrap gap-x-4 text-12 text-ink-2">
        <Legend className="bg-accent" label={m.history_players()} />
        <Legend className="bg-ink-3" label={m.nav_servers()} />
      </div>
      {shares && total ? (
        <Bars shares={shares} total={total} />
      ) : (
        <div className={BARS}>
          {Array.from({ length: MAX_BARS }, (_, row) => (
            <Skeleton key={row} className="h-8.5" />
          ))}
        </div>
      )}
      <div className="mt-3 min-h-6 pointer-coarse:min-h-11">
        {shares && (
          <ChartTable
            columns={[column, m.history_players(), m.nav_servers()]}
            rows={() => shares.map(({ name, players, servers }) => [name, formatNumber(players), formatNumber(servers)])}
          />
        )}
      </div>
    </Card>
  )
}

function Legend({ className, label }: { className: string; label: string }) {
  return (
    <span className="inline-flex min-h-5 items-center gap-1.5">
      <span className={`size-2.5 rounded-[2px] ${className}`} aria-hidden="true" />
      {label}
    </span>
  )
}

function Bars({ shares, total }: { shares: readonly Share[]; total: Counts }) {
  if (shares.length === 0)
    return (
      <div className="mt-3 min-h-75">
        <SampleBars sentence={m.statistics_nothing_online()} />
      </div>
    )
  return (
    <ul className={BARS}>
      {barsOf(shares, total).map(({ name, players, servers }) => (
        <li key={name}>
          <div className="flex items-baseline justify-between gap-3 text-13">
            <span className="min-w-0 truncate">{name}</span>
            <span className="shrink-0 tabular-nums">
              <span className="sr-only">{m.history_players()} </span>
              <strong className="font-semibold">{formatNumber(players)}</strong>
              <span className="sr-only">, {m.nav_servers()} </span>
              <span className="ml-2 inline-block min-w-8 text-right text-ink-3">{formatNumber(servers)}</span>
            </span>
          </div>
          <Bar className="h-2 bg-accent" share={players / Math.max(1, total.players)} />
          <Bar className="h-1 bg-ink-3" share={servers / Math.max(1, total.servers)} />
        </li>
      ))}
    </ul>
  )
}

function Bar({ className, share }: { className: string; share: number }) {
  return (
    <div aria-hidden="true" data-graph className={`mt-0.5 min-w-0.5 rounded-[2px] ${className}`} style={{ width: `${100 * share}%` }} />
  )
}

/** The first names, and all others together. */
function barsOf(shares: readonly Share[], total: Counts): readonly Share[] {
  if (shares.length <= MAX_BARS) return shares
  const shown = shares.slice(0, MAX_BARS - 1)
  const rest = (key: keyof Counts) => total[key] - shown.reduce((sum, share) => sum + share[key], 0)
  return [...shown, { name: m.statistics_others(), players: rest('players'), servers: rest('servers') }]
}
