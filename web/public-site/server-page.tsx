import { Play } from 'lucide-react'
import type { PublicServerView, PublicSite } from '#contract/public-site.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { languageName } from '#web/lib/language-name.ts'
import { formatTime } from '#web/lib/time.ts'
import { CopyIcon } from './copy-icon.tsx'
import { FavouriteButton } from './favourite-button.tsx'
import { ReportForm } from './report-form.tsx'
import { ServerFacts } from './server-facts.tsx'
import { ServerIcon } from './server-icon.tsx'
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
          <ServerFacts view={view} />
        </div>
        <SharePanel view={view} site={site} />
        {site.acceptsReports && <ReportForm view={view} />}
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

const HUES = ['red', 'amber', 'green', 'teal', 'blue', 'indigo', 'violet', 'pink']

/** The same colour at every visit. */
const hueOf = (publicId: string) => Array.from(publicId).reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0) % HUES.length

function Banner({ view }: { view: PublicServerView }) {
  if (view.bannerUrl !== '')
    return <img src={view.bannerUrl} alt="" width={880} height={160} className="h-40 w-full rounded-10 object-cover" />
  return <div aria-hidden="true" className={`banner banner-${HUES[hueOf(view.publicId)] ?? ''}`} />
}

function Header({ view }: { view: PublicServerView }) {
  const { name, publicId, isOnline, players, maxPlayers, queue } = view
  return (
    <header className="relative -mt-8 sm:px-5">
      <ServerIcon server={view} isLarge />
      <div className="mt-3 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0 flex-1 basis-80">
          <h1 className="flex gap-2 text-28 font-semibold tracking-[-0.02em] [overflow-wrap:anywhere]">
            <bdi>{name}</bdi>
            <span className="flex h-[1lh] shrink-0 items-center gap-2">
              <ServerMarks server={view} size={18} />
            </span>
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
          <FavouriteButton publicId={publicId} name={name} isSingle />
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
      <CopyIcon size={16} />
      {m.public_connect()}
    </button>
  )
}
