/** A server on `/browse`. The whole row is a link to its page. Styles are in public-site.css, because 50 rows repeat them. */
import { TrendingUp } from 'lucide-react'
import type { PublicRow } from '#contract/public-site/public-site.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { languageName } from '#web/lib/language-name.ts'
import { regionName } from '#web/lib/region-name.ts'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { browsePath } from './browse-links.ts'
import { FavouriteButton } from './favourite-button.tsx'
import { PlayersMeter } from './players-meter.tsx'
import { ServerMarks } from './server-marks.tsx'
import { WeekSparkline } from './week-sparkline.tsx'

export function ServerRow({ server }: { server: PublicRow }) {
  const { publicId, name, iconUrl, description, language, region, gameMode, growth, tags } = server
  return (
    <li id={`server-${publicId}`} className="row">
      <ImageTile id={publicId} name={name} url={iconUrl} className="size-10" />
      <div className="row-text">
        <p className="row-name">
          <a href={server.path}>
            <bdi>{name}</bdi>
          </a>
          <span className="row-marks">
            <ServerMarks server={server} />
            {growth !== undefined && (
              <span className="row-growth" title={m.public_growth_hint()}>
                <TrendingUp size={12} aria-hidden="true" />
                {m.public_growth({ players: formatNumber(growth) })}
                <span className="max-[359px]:sr-only">{m.public_growth_since()}</span>
              </span>
            )}
          </span>
        </p>
        <bdi className="row-line">{[gameMode, description].filter(Boolean).join(' · ') || languageName(language)}</bdi>
      </div>
      <p className="row-tags">
        {tags.map((tag) => (
          <a key={tag} href={browsePath({ tag: [tag] })} rel="nofollow">
            <bdi>{tag}</bdi>
          </a>
        ))}
        {tags.length === 0 && <span>{gameMode || languageName(language)}</span>}
      </p>
      <p className="row-place">
        <span>{languageName(language)}</span>
        {region !== '' && <span>{regionName(region)}</span>}
      </p>
      <WeekSparkline week={server.week} />
      <PlayersMeter server={server} />
      <FavouriteButton publicId={publicId} name={name} />
    </li>
  )
}
