import { Link } from '@tanstack/react-router'
import { MAX_RANKED } from '#contract/history/statistics.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { Card } from '#web/ui/card.tsx'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { SampleBars } from './sample-bars.tsx'

interface RankedServer {
  readonly public_id: string
  readonly name: string
  readonly icon_url: string | null
  /** One per column. The first decides the rank. */
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

/** Servers by a number, each with a bar in proportion to the first. */
export function RankingCard({ title, about, empty, columns, servers }: RankingCardProps) {
  return (
    <Card title={title} description={about}>
      {/* As high while loading and with few rows as with all. */}
      <div className="min-h-96 pointer-coarse:min-h-119">
        {servers === undefined ? (
          <div className="space-y-2 pt-8">
            {Array.from({ length: MAX_RANKED }, (_, row) => (
              <Skeleton key={row} className="h-7" />
            ))}
          </div>
        ) : servers.length === 0 ? (
          <div className="pt-8">
            <SampleBars sentence={empty} />
          </div>
        ) : (
          <Ranking servers={servers} columns={columns} />
        )}
      </div>
    </Card>
  )
}

function Ranking({ servers, columns }: Required<Pick<RankingCardProps, 'columns'>> & { servers: readonly RankedServer[] }) {
  const max = Math.max(1, ...servers.map(({ numbers }) => numbers[0]))
  return (
    <table className="w-full table-fixed text-left text-13">
      <thead className="text-12 text-ink-3">
        <tr className="h-7">
          <th scope="col" className="font-medium">
            {m.statistics_server()}
          </th>
          {columns.map((column) => (
            <th key={column} scope="col" className="w-20 text-right font-medium">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="tabular-nums">
        {servers.map(({ public_id, name, icon_url, numbers }) => (
          <tr key={public_id} className="h-9 pointer-coarse:h-11">
            <td className="pr-3">
              <div className="flex items-center gap-2.5">
                <ImageTile id={public_id} name={name} url={icon_url} className="size-6" />
                <div className="min-w-0 flex-1">
                  <Link
                    to="/admin/servers/$server_id"
                    params={{ server_id: public_id }}
                    className="block truncate rounded-6 py-0.5 hover:underline pointer-coarse:py-2"
                  >
                    {name}
                  </Link>
                  <div
                    aria-hidden="true"
                    data-graph
                    className="h-1 min-w-0.5 rounded-[2px] bg-accent"
                    style={{ width: `${(100 * numbers[0]) / max}%` }}
                  />
                </div>
              </div>
            </td>
            <td className="text-right font-semibold">{formatNumber(numbers[0])}</td>
            <td className="text-right text-ink-2">{formatNumber(numbers[1])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
