/** A server on `/browse`. The whole row is a link to its page. */
import { CircleQuestionMark, TrendingUp } from 'lucide-react'
import type { PublicRow } from '#contract/public-site/public-site.ts'
import { m } from '#messages'
import { languageName, regionName } from '#web/lib/code-names.ts'
import { formatNumber } from '#web/lib/format.ts'
import { Curve, DashedLine, sparklineOf } from '#web/ui/chart/curve.tsx'
import { cx } from '#web/ui/class-names.ts'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { browsePath } from './browse-links.ts'
import { FavouriteButton } from './script-buttons.tsx'
import { ServerMarks } from './server-marks.tsx'

/** On a narrow screen, the name is on the first line and everything else on the second. */
const COLUMNS = 'grid-cols-[40px_auto_minmax(0,1fr)_60px_28px] lg:grid-cols-[40px_minmax(0,1fr)_176px_150px_104px_116px_36px]'
const SECOND_LINE = 'max-lg:row-start-2'

export function ServerRow({ server }: { server: PublicRow }) {
  const { publicId, name, iconUrl, description, language, region, gameMode, tags } = server
  return (
    <li
      id={`server-${publicId}`}
      className={cx(
        'row relative grid min-h-17 items-center gap-y-0.5 border-t border-line py-2 hover:bg-surface-1 lg:min-h-16 lg:gap-x-4 lg:py-1.5',
        COLUMNS,
      )}
    >
      <ImageTile id={publicId} name={name} url={iconUrl} className="size-10 max-lg:row-span-2 max-lg:mt-1 max-lg:self-start" />
      <div className="max-lg:contents">
        <p className="row-name max-lg:contents lg:flex lg:items-center">
          {/* Covers the row. */}
          <a
            href={server.path}
            className="min-w-0 leading-5 font-medium [overflow-wrap:anywhere] after:absolute after:inset-0 max-lg:col-span-3 max-lg:pl-3"
          >
            {/* Not the link: the end of a name from right to left is on the left. */}
            <bdi className="lg:block lg:truncate">{name}</bdi>
          </a>
          <Marks server={server} />
        </p>
        <bdi className="block truncate text-12 text-ink-3 max-lg:hidden">
          {[gameMode, description].filter(Boolean).join(' · ') || languageName(language)}
        </bdi>
      </div>
      <Tags tags={tags} otherwise={gameMode || languageName(language)} />
      <p className="text-12 max-lg:hidden">
        <span className="block truncate text-ink-2">{languageName(language)}</span>
        {region !== '' && <span className="block truncate text-ink-3">{regionName(region)}</span>}
      </p>
      <WeekSparkline week={server.week} />
      <PlayersMeter server={server} className={cx('max-lg:col-span-2 max-lg:col-start-4 max-lg:pl-2', SECOND_LINE)} />
      {/* On a narrow screen larger than its place, so that a finger finds it. */}
      <FavouriteButton
        publicId={publicId}
        name={name}
        className="max-lg:col-start-5 max-lg:row-start-1 max-lg:-my-3 max-lg:-ml-4 max-lg:justify-end"
      />
    </li>
  )
}

function Marks({ server }: { server: PublicRow }) {
  return (
    <span className={cx('flex flex-none items-center gap-1.5 pl-3 not-empty:max-lg:pr-2 max-lg:col-start-2 lg:pl-1.5', SECOND_LINE)}>
      <ServerMarks server={server} />
      {server.growth !== undefined && (
        <span data-growth className="inline-flex items-center gap-[3px] text-12 whitespace-nowrap text-ok" title={m.public_growth_hint()}>
          <TrendingUp size={12} aria-hidden="true" />
          {m.public_growth({ players: formatNumber(server.growth) })}
          <span className="max-[359px]:sr-only">{m.public_growth_since()}</span>
        </span>
      )}
    </span>
  )
}

/** As many whole tags as fit on one line, or on two of a wide screen. */
function Tags({ tags, otherwise }: { tags: readonly string[]; otherwise: string }) {
  return (
    <p
      className={cx(
        'flex max-h-6 min-w-0 flex-wrap gap-1 overflow-hidden text-12 leading-6 text-ink-3 max-lg:col-start-3 lg:max-h-[51px] lg:gap-y-[3px]',
        // The first tag goes to the hidden second line, too, if it does not fit.
        'max-lg:before:-mr-1 max-lg:before:h-6 max-lg:before:w-0',
        SECOND_LINE,
      )}
    >
      {tags.map((tag) => (
        <a
          key={tag}
          href={browsePath({ tag: [tag] })}
          rel="nofollow"
          className="z-1 h-6 max-w-full truncate rounded-6 border border-line px-[7px] leading-[22px] text-ink-2 hover:border-line-strong hover:text-ink-1"
        >
          <bdi>{tag}</bdi>
        </a>
      ))}
      {tags.length === 0 && <span className="max-w-full truncate lg:hidden">{otherwise}</span>}
    </p>
  )
}

/** Steps of a week are drawn in pairs, because a row of the list has few pixels. */
function pairs(values: readonly (number | null)[]): (number | null)[] {
  return Array.from({ length: Math.ceil(values.length / 2) }, (_, index) => {
    const known = values.slice(index * 2, index * 2 + 2).filter((value) => value !== null)
    return known.length === 0 ? null : Math.max(...known)
  })
}

/** The players of seven days. Hidden from screen readers: the page of the server says it in words. */
function WeekSparkline({ week }: { week: readonly (number | null)[] }) {
  const sparkline = sparklineOf(pairs(week))
  const size = 'h-7 w-full max-lg:hidden'
  return sparkline ? <Curve of={sparkline} isLine className={`${size} text-accent`} /> : <DashedLine className={size} />
}

interface PlayersMeterProps {
  server: Pick<PublicRow, 'isOnline' | 'players' | 'maxPlayers' | 'arePlayersConfirmed'>
  className: string
}

/** Players of slots as number and bar. */
function PlayersMeter({ server: { isOnline, players, maxPlayers, arePlayersConfirmed }, className }: PlayersMeterProps) {
  const classes = cx('text-right text-13 text-ink-3 tabular-nums in-[.row-left]:invisible', className)
  if (!isOnline) return <p className={classes}>{m.public_offline()}</p>
  return (
    <p className={classes}>
      {!arePlayersConfirmed && (
        <CircleQuestionMark size={12} role="img" aria-label={m.public_unconfirmed()} className="mr-1 inline-block align-[-1px]" />
      )}
      <b className="font-medium text-ink-1">{formatNumber(players)}</b> / {formatNumber(maxPlayers)}
      <meter
        aria-hidden="true"
        value={players}
        max={maxPlayers}
        className={`players-meter mt-1 h-1! w-full! ${arePlayersConfirmed ? 'text-ok' : 'text-line-strong'}`}
      />
    </p>
  )
}
