import { Lock, Play, TrendingUp } from 'lucide-react'
import type { PublicServerView, PublicSite } from '#contract/public-site/public-site.ts'
import { m } from '#messages'
import { languageName } from '#web/lib/code-names.ts'
import { formatNumber } from '#web/lib/format.ts'
import { formatTime } from '#web/lib/time.ts'
import { shareCodes } from '#web/lib/url/share-codes.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { counted } from '#web/ui/count-text.ts'
import { BannerGradient, ImageTile } from '#web/ui/image-tile.tsx'
import { ReportForm } from './report-form.tsx'
import { CopyButton, CopyIcon, FavouriteButton } from './script-buttons.tsx'
import { ServerFacts } from './server-facts.tsx'
import { ServerMarks } from './server-marks.tsx'
import { WeekGraph } from './week-graph.tsx'

export function ServerPage({ view, site }: { view: PublicServerView; site: PublicSite }) {
  return (
    <article data-server={view.publicId} className="mx-auto max-w-[880px]">
      <Banner view={view} />
      <div data-live>
        <Header view={view} />
        {view.description !== '' && (
          // Beside the name on the left, also if it is read from right to left.
          <p dir="auto" className="mt-5 max-w-[68ch] text-left text-16 break-words whitespace-pre-line text-ink-2">
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
  return <BannerGradient id={view.publicId} className="h-40 w-full rounded-10" />
}

function Header({ view }: { view: PublicServerView }) {
  const { name, publicId, isOnline, players, maxPlayers, queue, growth } = view
  return (
    <header className="relative -mt-8">
      <ImageTile id={publicId} name={name} url={view.iconUrl} className="ml-3 size-18 rounded-10 border-4 border-surface-0 sm:ml-5" />
      <div className="mt-3 flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
        <div className="min-w-0 flex-1 basis-80">
          <h1 className="text-28 font-semibold tracking-[-0.02em] [overflow-wrap:anywhere]">
            <bdi>{name}</bdi>
            <span className="ml-2 inline-flex h-[1lh] items-center gap-2 align-bottom">
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
            {growth !== undefined && (
              <span className="inline-flex items-center gap-1 text-ok">
                <TrendingUp size={14} aria-hidden="true" />
                {m.public_growth_long(counted(growth))}
              </span>
            )}
            {isOnline && !view.arePlayersConfirmed && <span className="text-warn">{m.public_unconfirmed()}</span>}
          </p>
        </div>
        <div className="max-sm:w-full">
          <div className="flex items-center gap-2">
            <Connect view={view} />
            <FavouriteButton publicId={publicId} name={name} className="size-11! border border-line" />
          </div>
          <ConnectHint view={view} />
        </div>
      </div>
    </header>
  )
}

const BUTTON = 'min-h-11 px-5 max-sm:flex-1'

const isFull = ({ isOnline, players, maxPlayers }: PublicServerView) => isOnline && players >= maxPlayers

/** Opens the game if the operator has set how, else copies the address. Without a script the address is below. */
function Connect({ view }: { view: PublicServerView }) {
  const { connectUrl, address, isOnline, isPassworded } = view
  if (!isOnline)
    return (
      <button type="button" disabled aria-describedby="connect-hint" className={buttonClass('secondary', BUTTON)}>
        {m.public_connect()}
      </button>
    )
  const className = buttonClass(isFull(view) ? 'secondary' : 'primary', BUTTON)
  const describedBy = isFull(view) || isPassworded ? 'connect-hint' : undefined
  if (connectUrl !== undefined)
    return (
      <a href={connectUrl} aria-describedby={describedBy} className={className}>
        {isPassworded ? <Lock size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />}
        {m.public_connect()}
      </a>
    )
  return (
    <button
      type="button"
      data-copy={address}
      data-copied={m.public_address_copied()}
      aria-describedby={describedBy}
      className={cx(className, 'needs-script')}
    >
      <CopyIcon size={16} />
      {m.public_connect()}
    </button>
  )
}

/** What to know before connecting. */
function ConnectHint({ view }: { view: PublicServerView }) {
  const hints = view.isOnline
    ? [isFull(view) && m.public_connect_full(), view.isPassworded && m.public_connect_password()]
    : [m.public_connect_offline()]
  const text = hints.filter((hint) => hint !== false).join(' ')
  if (text === '') return null
  return (
    <p id="connect-hint" className="mt-2 max-w-[32ch] text-13 text-ink-2">
      {text}
    </p>
  )
}

/** What to paste elsewhere: link, badge, frame and QR code. */
function SharePanel({ view, site }: { view: PublicServerView; site: PublicSite }) {
  const codes = shareCodes(site, view)
  return (
    <section aria-labelledby="share" className="mt-8 border-t border-line pt-6">
      <h2 id="share" className="text-16 font-semibold">
        {m.public_share()}
      </h2>
      <div className="mt-3 flex flex-wrap gap-6">
        <div className="min-w-0 flex-1 basis-80 space-y-4">
          <Code id="link" label={m.public_share_link()} text={codes.link} />
          <div>
            <img src={codes.badgeUrl} alt={m.public_share_badge_alt()} height={20} loading="lazy" className="mb-2 h-5" />
            <Code id="markdown" label={m.public_share_badge_markdown()} text={codes.markdown} />
          </div>
          <Code id="html" label={m.public_share_badge_html()} text={codes.html} />
          <Code id="bbcode" label={m.public_share_badge_bbcode()} text={codes.bbcode} />
          <Code id="embed" label={m.public_share_embed()} text={codes.embed} />
        </div>
        <figure className="w-[160px] text-center">
          <img
            src={codes.qrPath}
            alt={m.public_share_qr_alt({ name: view.name })}
            width={160}
            height={160}
            loading="lazy"
            className="rounded-6"
          />
          <figcaption className="mt-1.5 text-12 text-ink-3">{m.public_share_qr()}</figcaption>
        </figure>
      </div>
    </section>
  )
}

function Code({ id, label, text }: { id: string; label: string; text: string }) {
  return (
    <div>
      <label htmlFor={`share-${id}`} className="block text-12 text-ink-3">
        {label}
      </label>
      <div className="mt-1 flex gap-2">
        <input id={`share-${id}`} readOnly value={text} className="field-input min-w-0 flex-1 font-mono text-12 text-ink-2" />
        <CopyButton text={text} label={m.public_copy({ what: label })} className="border border-line text-ink-2 hover:border-line-strong" />
      </div>
    </div>
  )
}
