/** A card of 320x120 for other sites, or narrower. */
import { CircleQuestionMark } from 'lucide-react'
import type { PublicServerView, PublicSite } from '#contract/public-site.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { BrandMark } from '#web/ui/brand.tsx'
import { ServerIcon } from './server-icon.tsx'
import { ServerMarks } from './server-marks.tsx'

export function EmbedCard({ view, site }: { view: PublicServerView; site: PublicSite }) {
  const { name, isOnline, players, maxPlayers, arePlayersConfirmed } = view
  return (
    <main className="embed-card h-[120px] max-w-[320px] overflow-hidden rounded-10 border border-line bg-surface-1 p-3.5">
      <a href={site.origin + view.path} target="_blank" rel="noopener" className="flex h-full flex-col justify-between rounded-6">
        <span className="flex min-w-0 items-center gap-3">
          <ServerIcon server={view} />
          <span className="min-w-0 flex-1">
            <span className="flex min-w-0 items-center gap-1.5 font-semibold">
              <bdi className="min-w-0 truncate">{name}</bdi>
              <ServerMarks server={view} />
            </span>
            <bdi className="block truncate text-12 text-ink-3">{view.gameMode || view.description}</bdi>
          </span>
        </span>
        <span className="flex items-center justify-between text-13">
          <span className="inline-flex items-center gap-2 tabular-nums">
            <span className={`size-2 rounded-full ${isOnline ? 'bg-ok' : 'bg-line-strong'}`} aria-hidden="true" />
            {isOnline && !arePlayersConfirmed && <CircleQuestionMark size={12} role="img" aria-label={m.public_unconfirmed()} />}
            {isOnline ? m.public_players_of({ players: formatNumber(players), slots: formatNumber(maxPlayers) }) : m.public_offline()}
          </span>
          <span className="inline-flex items-center gap-1.5 text-12 text-ink-3">
            <BrandMark size={16} />
            Muster
          </span>
        </span>
      </a>
    </main>
  )
}
