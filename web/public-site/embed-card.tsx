/** A card of 320x120 for other sites, or narrower. */
import { CircleQuestionMark } from 'lucide-react'
import type { PublicServerView, PublicSite } from '#contract/public-site/public-site.ts'
import { m } from '#messages'
import { brand } from '#web/lib/brand.ts'
import { formatNumber } from '#web/lib/format.ts'
import { BrandMark } from '#web/ui/brand.tsx'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { ServerMarks } from './server-marks.tsx'

export function EmbedCard({ view, site }: { view: PublicServerView; site: PublicSite }) {
  const { name, isOnline, players, maxPlayers, arePlayersConfirmed } = view
  return (
    <main
      data-live={60}
      className="embed-card relative flex h-[120px] max-w-[320px] flex-col justify-between overflow-hidden rounded-10 border border-line bg-surface-1 p-3.5"
    >
      <div className="flex min-w-0 items-center gap-3">
        <ImageTile id={view.publicId} name={name} url={view.iconUrl} className="size-10" />
        <div className="min-w-0 flex-1">
          <div className="flex min-w-0 items-center gap-1.5 font-semibold">
            <h1 className="min-w-0 truncate">
              {/* Covers the card. The numbers are beside it, because the script leaves a focused link as it is. */}
              <a
                href={site.origin + view.path}
                target="_blank"
                rel="noopener"
                className="outline-none after:absolute after:inset-0 after:rounded-10 after:-outline-offset-2 after:outline-accent focus-visible:after:outline-2"
              >
                <bdi>{name}</bdi>
              </a>
            </h1>
            <ServerMarks server={view} />
          </div>
          <bdi className="block truncate text-12 text-ink-3">{view.gameMode || view.description}</bdi>
        </div>
      </div>
      <div className="flex items-center justify-between gap-4 text-13">
        <span className="inline-flex shrink-0 items-center gap-2 tabular-nums">
          <span className={`size-2 rounded-full ${isOnline ? 'bg-ok' : 'bg-line-strong'}`} aria-hidden="true" />
          {isOnline && !arePlayersConfirmed && <CircleQuestionMark size={12} role="img" aria-label={m.public_unconfirmed()} />}
          {isOnline ? m.public_players_of({ players: formatNumber(players), slots: formatNumber(maxPlayers) }) : m.public_offline()}
        </span>
        <span className="inline-flex min-w-0 items-center gap-1.5 text-12 text-ink-3">
          <BrandMark size={16} />
          <span className="truncate">{brand.name}</span>
        </span>
      </div>
    </main>
  )
}
