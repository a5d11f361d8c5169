/** A server on `/browse`. The whole row is a link to its page. */
import { TrendingUp } from 'lucide-react'
import type { PublicRow } from '#contract/public-site.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { languageName } from '#web/lib/language-name.ts'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { FavouriteButton } from './favourite-button.tsx'
import { PlayersMeter } from './players-meter.tsx'
import { regionName } from './region-name.ts'
import { ServerMarks } from './server-marks.tsx'
import { WeekSparkline } from './week-sparkline.tsx'

export function ServerRow({ server }: { server: PublicRow }) {
  const { publicId, name, description, language, region, gameMode, growth, tags } = server
  return (
    <li
      id={`server-${publicId}`}
      className="relative grid min-h-16 grid-cols-[40px_minmax(0,1fr)_84px_auto] items-center gap-x-3 border-t border-line py-2 hover:bg-surface-1 lg:grid-cols-[40px_minmax(0,1fr)_150px_120px_110px_120px_36px] lg:gap-x-4"
    >
      <ImageTile name={name} url={server.iconUrl} className="size-10 text-13" initialsClassName="bg-surface-2 text-ink-2" />
      <div className="min-w-0">
        <p className="flex min-w-0 items-center gap-1.5 font-medium">
          <a href={server.path} className="min-w-0 truncate after:absolute after:inset-0">
            <bdi>{name}</bdi>
          </a>
          <ServerMarks server={server} />
          {growth !== undefined && (
            <span
              className="inline-flex shrink-0 items-center gap-0.5 text-12 font-normal text-ok tabular-nums"
              title={m.public_growth_hint()}
            >
              <TrendingUp size={12} aria-hidden="true" />
              {m.public_growth({ players: formatNumber(growth) })}
            </span>
          )}
        </p>
        <p className="truncate text-12 text-ink-3">
          <bdi>{[gameMode, description].filter(Boolean).join(' · ') || languageName(language)}</bdi>
        </p>
      </div>
      <p className="hidden max-h-11 flex-wrap gap-1 overflow-hidden lg:flex">
        {tags.map((tag) => (
          <bdi key={tag} className="max-w-full truncate rounded-6 border border-line px-1.5 text-12 text-ink-2">
            {tag}
          </bdi>
        ))}
      </p>
      <p className="hidden text-12 leading-4 text-ink-2 lg:block">
        <span className="block truncate">{languageName(language)}</span>
        {region !== '' && <span className="block truncate text-ink-3">{regionName(region)}</span>}
      </p>
      <div className="hidden h-8 lg:block">
        <WeekSparkline week={server.week} />
      </div>
      <PlayersMeter server={server} />
      <FavouriteButton publicId={publicId} name={name} className="relative z-10 -mr-2" />
    </li>
  )
}
