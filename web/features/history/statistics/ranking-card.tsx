import { Link } from '@tanstack/react-router'
import { m } from '#messages'
import { Card } from '#web/ui/card.tsx'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { BarTable } from './bar-table.tsx'

interface RankedServer {
  readonly public_id: string
  readonly name: string
  readonly icon_url: string | null
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

export function RankingCard({ title, about, empty, columns, servers }: RankingCardProps) {
  const rows = servers?.map(({ public_id, name, icon_url, numbers }) => ({
    key: public_id,
    icon: <ImageTile id={public_id} name={name} url={icon_url} className="size-6" />,
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
