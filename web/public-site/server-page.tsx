import { Copy, Play } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PublicServerView, PublicSite } from '#contract/public-site.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { languageName } from '#web/lib/language-name.ts'
import { formatTime } from '#web/lib/time.ts'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { browsePath } from './browse-links.ts'
import { FavouriteButton } from './favourite-button.tsx'
import { regionName } from './region-name.ts'
import { ReportForm } from './report-form.tsx'
import { ServerMarks } from './server-marks.tsx'
import { SharePanel } from './share-panel.tsx'
import { SiteFrame } from './site-frame.tsx'
import { WeekGraph } from './week-graph.tsx'

export function ServerPage({ view, site }: { view: PublicServerView; site: PublicSite }) {
  return (
    <SiteFrame>
      <article data-server={view.publicId} className="mx-auto max-w-[880px]">
        <Banner view={view} />
        <div data-live>
          <Header view={view} />
          {view.description !== '' && (
            <p dir="auto" className="mt-5 max-w-[68ch] text-16 break-words whitespace-pre-line text-ink-2">
              {view.description}
            </p>
          )}
          <section aria-labelledby="players" className="mt-8">
            <h2 id="players" className="text-16 font-semibold">
              {m.public_graph_title()}
            </h2>
            <div className="mt-3">
              <WeekGraph week={view.week} />
            </div>
          </section>
          <Facts view={view} />
        </div>
        <SharePanel view={view} site={site} />
        <ReportForm view={view} />
      </article>
    </SiteFrame>
  )
}

/** The server in one sentence, for search engines and previews. */
export function serverSummary(view: PublicServerView): string {
  const players = view.isOnline
    ? m.public_summary_online({ players: formatNumber(view.players), slots: formatNumber(view.maxPlayers) })
    : m.public_summary_offline()
  return [players, view.gameMode, languageName(view.language), view.description.replaceAll('\n', ' ')].filter(Boolean).join(' · ')
}

function Banner({ view }: { view: PublicServerView }) {
  if (view.bannerUrl !== '')
    return <img src={view.bannerUrl} alt="" width={880} height={160} className="h-40 w-full rounded-10 object-cover" />
  return <div aria-hidden="true" className="h-40 rounded-10 bg-linear-to-br from-surface-3 to-surface-1" />
}

function Header({ view }: { view: PublicServerView }) {
  const { name, publicId, isOnline, players, maxPlayers, queue } = view
  return (
    <header className="relative -mt-8 px-1 sm:px-5">
      <ImageTile
        name={name}
        url={view.iconUrl}
        className="size-16 border-4 border-surface-0 text-20"
        initialsClassName="bg-surface-2 text-ink-2"
      />
      <div className="mt-3 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0 flex-1 basis-80">
          <h1 className="flex flex-wrap items-center gap-2 text-28 font-semibold tracking-[-0.02em] [overflow-wrap:anywhere]">
            <bdi>{name}</bdi>
            <ServerMarks server={view} size={18} />
          </h1>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-2 tabular-nums">
            <span className="inline-flex items-center gap-2">
              <span className={`size-2 rounded-full ${isOnline ? 'bg-ok' : 'bg-line-strong'}`} aria-hidden="true" />
              {isOnline
                ? m.public_players_of({ players: formatNumber(players), slots: formatNumber(maxPlayers) })
                : m.public_offline_since({ date: formatTime(view.since, 'longDate', 'UTC') })}
            </span>
            {queue > 0 && <span>{m.public_queue({ players: formatNumber(queue) })}</span>}
            {isOnline && !view.arePlayersConfirmed && <span className="text-warn">{m.public_unconfirmed()}</span>}
          </p>
        </div>
        <div className="flex items-center gap-2">
          <Connect view={view} />
          <FavouriteButton publicId={publicId} name={name} className="border border-line" />
        </div>
      </div>
    </header>
  )
}

const PRIMARY = 'inline-flex min-h-11 items-center gap-2 rounded-6 bg-accent px-5 font-medium text-on-accent hover:bg-accent-hover'

/** Opens the game if the operator has set how, else copies the address. Without a script the address is below. */
function Connect({ view: { connectUrl, address } }: { view: PublicServerView }) {
  if (connectUrl !== undefined)
    return (
      <a href={connectUrl} className={PRIMARY}>
        <Play size={16} aria-hidden="true" />
        {m.public_connect()}
      </a>
    )
  return (
    <button type="button" data-copy={address} data-copied={m.public_address_copied()} className={`${PRIMARY} needs-script`}>
      <Copy size={16} aria-hidden="true" />
      {m.public_connect()}
    </button>
  )
}

function Facts({ view }: { view: PublicServerView }) {
  const { address, version, branch, gameMode, language, region, website, group, week, tags, since, createdAt, isOnline } = view
  const peak = week?.peak
  const facts: [label: string, value: ReactNode][] = [
    [
      m.public_fact_address(),
      <span key="address" className="flex min-w-0 items-center gap-1">
        <code className="font-mono text-13 [overflow-wrap:anywhere]">{address}</code>
        <button
          type="button"
          data-copy={address}
          data-copied={m.public_address_copied()}
          aria-label={m.public_copy_address()}
          className="needs-script -my-2 inline-flex size-9 shrink-0 items-center justify-center rounded-6 text-ink-3 hover:bg-surface-2 hover:text-ink-1"
        >
          <Copy size={14} aria-hidden="true" />
        </button>
      </span>,
    ],
    [m.public_fact_peak(), peak && m.public_peak({ players: formatNumber(peak.players), date: formatTime(peak.at, 'longDate', 'UTC') })],
    [m.public_fact_uptime(), week?.uptime !== undefined && formatNumber(week.uptime, { style: 'percent', maximumFractionDigits: 1 })],
    [m.public_fact_online_since(), isOnline && <Moment at={since} />],
    [m.public_fact_version(), version && `${version} (${branch})`],
    [m.public_fact_game_mode(), gameMode && <FilterLink name="game_mode" value={gameMode} text={gameMode} />],
    [m.public_fact_language(), <FilterLink key="language" name="language" value={language} text={languageName(language)} />],
    [m.public_fact_region(), region && <FilterLink name="region" value={region} text={regionName(region)} />],
    [
      m.public_fact_tags(),
      tags.length > 0 && (
        <span className="flex flex-wrap gap-x-3 gap-y-1">
          {tags.map((tag) => (
            <FilterLink key={tag} name="tag" value={tag} text={tag} />
          ))}
        </span>
      ),
    ],
    [
      m.public_fact_website(),
      website && (
        <a href={website} rel="noopener nofollow ugc" className="text-accent [overflow-wrap:anywhere] hover:underline">
          {website.replace(/^https?:\/\//, '').replace(/\/$/, '')}
        </a>
      ),
    ],
    [m.public_fact_group(), group && <bdi>{group}</bdi>],
    [m.public_fact_voice(), view.usesVoiceChat && m.public_yes()],
    [m.public_fact_registered(), formatTime(createdAt, 'longDate', 'UTC')],
  ]
  return (
    <section aria-labelledby="facts" className="mt-8">
      <h2 id="facts" className="text-16 font-semibold">
        {m.public_facts()}
      </h2>
      <dl className="mt-2 grid gap-x-10 sm:grid-cols-2">
        {facts.map(
          ([label, value]) =>
            Boolean(value) && (
              <div key={label} className="grid grid-cols-[120px_minmax(0,1fr)] gap-3 border-t border-line py-2.5">
                <dt className="text-13 text-ink-3">{label}</dt>
                <dd className="min-w-0 text-14">{value}</dd>
              </div>
            ),
        )}
      </dl>
    </section>
  )
}

/** The script shows it in the visitor's time zone. */
function Moment({ at }: { at: number }) {
  return <time dateTime={new Date(at).toISOString()}>{`${formatTime(at, 'minute', 'UTC')} UTC`}</time>
}

function FilterLink({ name, value, text }: { name: 'language' | 'region' | 'tag' | 'game_mode'; value: string; text: string }) {
  return (
    <a href={browsePath(name === 'tag' ? { tag: [value] } : { [name]: value })} rel="nofollow" className="text-accent hover:underline">
      <bdi>{text}</bdi>
    </a>
  )
}
