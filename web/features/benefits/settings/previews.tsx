/** Pictures of what players see with these settings. */
import { AppWindow, ImageOff, Minus, Rss, X } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { playersText } from '#web/features/servers/listing/visible-appearance.ts'
import { languageName } from '#web/lib/code-names.ts'
import { cx } from '#web/ui/class-names.ts'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { DEFAULT_COLOR, isColor, textColorOn } from './color.ts'
import type { LauncherValues } from './settings-form.tsx'
import './previews.css'

type PreviewServer = ReturnType<typeof toPreview>

/** What players see of the server, or of a sample server if undefined. */
export function toPreview(server: Server | undefined) {
  if (server === undefined) {
    return {
      id: 'sample',
      name: m.benefits_preview_server(),
      url: null,
      players: '37 / 128',
      about: `${m.benefits_preview_game_mode()} · ${m.benefits_preview_language()}`,
      description: m.benefits_preview_description(),
    }
  }
  const { public_id, name, icon_url, live, game_mode, language, description, dormant } = server
  return {
    id: public_id,
    name,
    // Players don't see the icon of a lapsed benefit.
    url: dormant.includes('icon_image_id') ? null : icon_url,
    players: playersText(live),
    about: [game_mode, languageName(language)].filter(Boolean).join(' · '),
    description,
  }
}

const FRAME = 'launcher relative overflow-hidden rounded-10 border border-(--l-line)'
const DIM = 'text-12 text-(--l-dim)'

interface ImagePreviewProps {
  server: PreviewServer
  url: string | null
  isUsed: boolean
}

export function ConnectPreview({ server, url, isUsed }: ImagePreviewProps) {
  return (
    <div className={FRAME}>
      <Picture url={isUsed ? url : null} className="aspect-[4/1]">
        <span className={cx(DIM, 'absolute inset-0 flex items-center justify-center gap-2 px-4 text-center')}>
          <ImageOff size={14} aria-hidden="true" />
          {isUsed ? m.benefits_preview_no_banner() : m.benefits_preview_not_server()}
        </span>
      </Picture>
      <div className="space-y-3 p-4">
        <ServerLine server={server} text={server.about}>
          {server.players}
        </ServerLine>
        <p className="line-clamp-3 text-13 break-words text-(--l-dim)">{server.description}</p>
        <Connect color={DEFAULT_COLOR} />
      </div>
    </div>
  )
}

export function JoinPreview({ server, url, isUsed }: ImagePreviewProps) {
  return (
    <div className={FRAME}>
      <Picture url={isUsed ? url : null} className="aspect-video">
        <p className={cx(DIM, 'absolute inset-x-0 top-[22%] px-6 text-center')}>
          {isUsed ? m.benefits_preview_no_image() : m.benefits_preview_not_server()}
        </p>
      </Picture>
      <div className="launcher-shade absolute inset-x-0 bottom-0 space-y-3 px-4 pt-10 pb-4 sm:px-5">
        <ServerLine server={server} text={m.benefits_preview_loading()}>
          64%
        </ServerLine>
        <Progress color={DEFAULT_COLOR} percent={64} />
      </div>
    </div>
  )
}

/** Rows and news entries that fit. */
const MAX_ROWS = 3

interface LauncherPreviewProps {
  values: LauncherValues
  servers: readonly PreviewServer[]
  /** Titles of the latest feed entries, once previewed. */
  news: readonly string[]
}

/** The window, and the splash screen: 300 × 400 in the launcher, and smaller here, so that both fit. */
export function LauncherPreview({ values, servers, news }: LauncherPreviewProps) {
  const name = values.name.trim() || m.benefits_preview_launcher()
  const color = isColor(values.primary_color) ? values.primary_color : DEFAULT_COLOR
  const address = values.ui_url.trim()
  const hasNews = news.length > 0 || values.rss_url.trim() !== ''
  return (
    <div className="space-y-5">
      <figure>
        <figcaption className="mb-2 text-12 text-ink-3">{m.benefits_preview_window()}</figcaption>
        <div className={FRAME}>
          <Picture url={values.ui_background_image_id?.url ?? null} className="absolute! inset-0" />
          <div className="relative">
            <div className="flex items-center gap-2 bg-(--l-scrim) px-3 py-2">
              <Logo image={values.logo_image_id} className="size-6 rounded-6" />
              <span className="min-w-0 flex-1 truncate text-13 font-semibold">{name}</span>
              <Minus size={14} className="text-(--l-dim)" aria-hidden="true" />
              <X size={14} className="text-(--l-dim)" aria-hidden="true" />
            </div>
            {address === '' ? (
              <div className="space-y-3 p-3">
                <Servers servers={servers} color={color} />
                {hasNews && <News titles={news} />}
                <Connect color={color} />
              </div>
            ) : (
              <div className="m-3 rounded-6 bg-(--l-scrim) px-4 py-10 text-center">
                <AppWindow size={20} className="mx-auto text-(--l-dim)" aria-hidden="true" />
                <p className="mt-2 text-13 font-medium">{m.benefits_preview_own_page()}</p>
                <p className={cx(DIM, 'mt-0.5 break-all')}>{address}</p>
              </div>
            )}
          </div>
        </div>
      </figure>
      <figure>
        <figcaption className="mb-2 text-12 text-ink-3">{m.benefits_preview_splash()}</figcaption>
        <div className={cx(FRAME, 'mx-auto w-60')}>
          <Picture url={values.background_image_id?.url ?? null} className="aspect-[3/4]" />
          <div className="launcher-shade absolute inset-x-0 bottom-0 px-4 pt-14 pb-4 text-center">
            <Logo image={values.logo_image_id} className="mx-auto mb-3 size-16 rounded-10" />
            <p className="text-20 font-semibold tracking-[-0.01em] break-words">{name}</p>
            <p className={cx(DIM, 'mt-1 mb-4')}>{m.benefits_preview_updates()}</p>
            <Progress color={color} percent={40} />
          </div>
        </div>
      </figure>
    </div>
  )
}

/** The first one is selected. */
function Servers({ servers, color }: { servers: readonly PreviewServer[]; color: string }) {
  const more = servers.length - MAX_ROWS
  return (
    <div className="space-y-3 rounded-6 bg-(--l-scrim) p-3">
      {servers.slice(0, MAX_ROWS).map((server, index) => (
        <div key={server.id} style={{ outlineColor: color }} className={cx('rounded-6', index === 0 && 'outline outline-offset-4')}>
          <ServerLine server={server} text={server.about}>
            {server.players}
          </ServerLine>
        </div>
      ))}
      {more > 0 && <p className={DIM}>{m.benefits_preview_more({ count: more })}</p>}
      {servers.length === 0 && <p className={DIM}>{m.benefits_preview_no_servers()}</p>}
    </div>
  )
}

function News({ titles }: { titles: readonly string[] }) {
  return (
    <div className={cx(DIM, 'min-w-0 space-y-1.5 rounded-6 bg-(--l-scrim) p-3')}>
      <p className="flex items-center gap-1.5 font-medium">
        <Rss size={12} aria-hidden="true" />
        {m.benefits_form_feed_title()}
      </p>
      {titles.length === 0 && <p>{m.benefits_preview_feed()}</p>}
      {titles.slice(0, MAX_ROWS).map((title, index) => (
        <p key={index} className="line-clamp-2 break-words">
          {title}
        </p>
      ))}
    </div>
  )
}

function ServerLine({ server: { id, name, url }, text, children }: { server: PreviewServer; text: string; children: string }) {
  return (
    <div className="flex items-center gap-3">
      <ImageTile id={id} name={name} url={url} className="size-9" />
      <div className="min-w-0 flex-1">
        <p className="truncate text-14 font-semibold">{name}</p>
        <p className={cx(DIM, 'truncate')}>{text}</p>
      </div>
      <p className={cx(DIM, 'tabular-nums')}>{children}</p>
    </div>
  )
}

/** @param children in place of an image */
function Picture({ url, className, children }: { url: string | null; className: string; children?: ReactNode }) {
  return (
    <div className={cx('launcher-empty relative overflow-hidden', className)}>
      {url === null ? children : <img src={url} alt="" className="absolute inset-0 size-full object-cover" />}
    </div>
  )
}

function Logo({ image, className }: { image: LauncherValues['logo_image_id']; className: string }) {
  return image && <img src={image.url} alt="" className={cx('object-cover', className)} />
}

function Connect({ color }: { color: string }) {
  const style = { background: color, color: textColorOn(color) }
  return (
    <div className="text-right">
      <span style={style} className="inline-block rounded-6 px-3 py-1.5 text-13 font-semibold">
        {m.benefits_preview_connect()}
      </span>
    </div>
  )
}

function Progress({ color, percent }: { color: string; percent: number }) {
  return (
    <span aria-hidden="true" className="block h-1 overflow-hidden rounded-6 bg-(--l-line)">
      <span style={{ width: `${percent}%`, background: color }} className="block h-full" />
    </span>
  )
}
