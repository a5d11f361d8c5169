import { AppWindow, Globe, ImageOff, Minus, Rss, Users, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { DEFAULT_COLOR, isColor } from '#web/features/benefits/settings/color.ts'
import type { LauncherValues } from '#web/features/benefits/settings/settings-form.tsx'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { LauncherBar, LauncherButton, LauncherRow, Logo, Picture, type PreviewServer } from './launcher-parts.tsx'

interface ImagePreviewProps {
  server: PreviewServer
  url: string | null
  isUsed: boolean
}

export function ConnectPreview({ server, url, isUsed }: ImagePreviewProps) {
  return (
    <div className="launcher overflow-hidden rounded-10 border border-(--l-line) p-3 sm:p-4">
      <div aria-hidden="true" className="mb-3 overflow-hidden rounded-6 border border-(--l-line) bg-(--l-card) opacity-75">
        <LauncherRow server={server} isChosen color={DEFAULT_COLOR} />
      </div>
      <div className="overflow-hidden rounded-10 border border-(--l-line) bg-(--l-card) shadow-overlay">
        <Picture url={isUsed ? url : null} className="aspect-[4/1]">
          <span className="absolute inset-0 flex items-center justify-center gap-2 px-4 text-center text-12 text-(--l-dim)">
            <ImageOff size={14} aria-hidden="true" />
            {isUsed ? m.benefits_preview_no_banner() : m.benefits_preview_not_server()}
          </span>
        </Picture>
        <div className="p-4">
          <div className="flex items-start gap-3">
            <ImageTile id={server.id} name={server.name} url={server.icon_url} className="size-10" />
            <div className="min-w-0 flex-1">
              <p className="text-16 font-semibold break-words">{server.name}</p>
              <p className="mt-0.5 flex flex-wrap gap-x-3 text-12 text-(--l-dim)">
                <span className="inline-flex items-center gap-1 tabular-nums">
                  <Users size={12} aria-hidden="true" />
                  {server.players}
                </span>
                {server.game_mode !== '' && <span>{server.game_mode}</span>}
                <span className="inline-flex items-center gap-1">
                  <Globe size={12} aria-hidden="true" />
                  {server.language}
                </span>
              </p>
            </div>
          </div>
          {server.description !== '' && <p className="mt-3 line-clamp-3 text-13 break-words text-(--l-dim)">{server.description}</p>}
          <div className="mt-4 flex items-center justify-between gap-3">
            <span className="inline-flex items-center gap-2 text-12 text-(--l-dim)">
              <span aria-hidden="true" className="size-3.5 rounded-[3px] border border-(--l-dim)" />
              {m.benefits_preview_theme()}
            </span>
            <LauncherButton color={DEFAULT_COLOR}>{m.benefits_preview_connect()}</LauncherButton>
          </div>
        </div>
      </div>
    </div>
  )
}

export function JoinPreview({ server, url, isUsed }: ImagePreviewProps) {
  return (
    <div className="launcher relative overflow-hidden rounded-10 border border-(--l-line)">
      <Picture url={isUsed ? url : null} className="aspect-video">
        <p className="absolute inset-x-0 top-[22%] px-6 text-center text-12 text-(--l-dim)">
          {isUsed ? m.benefits_preview_no_image() : m.benefits_preview_not_server()}
        </p>
      </Picture>
      <div className="launcher-shade absolute inset-x-0 bottom-0 px-4 pt-10 pb-4 sm:px-5">
        <div className="flex items-center gap-3">
          <ImageTile id={server.id} name={server.name} url={server.icon_url} className="size-9" />
          <div className="min-w-0 flex-1">
            <p className="truncate text-14 font-semibold">{server.name}</p>
            <p className="truncate text-12 text-(--l-dim)">{m.benefits_preview_loading()}</p>
          </div>
          <p className="text-12 text-(--l-dim) tabular-nums">64%</p>
        </div>
        <div className="mt-3">
          <LauncherBar color={DEFAULT_COLOR} percent={64} />
        </div>
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

export function LauncherPreview({ values, servers, news }: LauncherPreviewProps) {
  const name = values.name.trim() || m.benefits_preview_launcher()
  const color = isColor(values.primary_color) ? values.primary_color : DEFAULT_COLOR
  const address = values.ui_url.trim()
  const hasNews = news.length > 0 || values.rss_url.trim() !== ''
  return (
    <div className="space-y-5">
      <figure>
        <figcaption className="mb-2 text-12 text-ink-3">{m.benefits_preview_window()}</figcaption>
        <LauncherWindow values={values} name={name}>
          {address === '' ? (
            <DefaultPage color={color} servers={servers} news={hasNews && <News titles={news} />} />
          ) : (
            <CustomPage address={address} />
          )}
        </LauncherWindow>
      </figure>
      <figure>
        <figcaption className="mb-2 text-12 text-ink-3">{m.benefits_preview_splash()}</figcaption>
        <Splash values={values} name={name} color={color} />
      </figure>
    </div>
  )
}

/** 300 × 400 in the launcher; smaller here, so that both previews fit. */
function Splash({ values, name, color }: { values: LauncherValues; name: string; color: string }) {
  return (
    <div className="launcher relative mx-auto w-60 overflow-hidden rounded-10 border border-(--l-line)">
      <Picture url={values.background_image_id?.url ?? null} className="aspect-[3/4]" />
      <div className="launcher-shade absolute inset-x-0 bottom-0 px-4 pt-14 pb-4 text-center">
        <Logo image={values.logo_image_id} className="mx-auto mb-3 size-16 rounded-10" />
        <p className="text-20 font-semibold tracking-[-0.01em] break-words">{name}</p>
        <p className="mt-1 mb-4 text-12 text-(--l-dim)">{m.benefits_preview_updates()}</p>
        <LauncherBar color={color} percent={40} />
      </div>
    </div>
  )
}

function LauncherWindow({ values, name, children }: { values: LauncherValues; name: string; children: ReactNode }) {
  return (
    <div className="launcher relative overflow-hidden rounded-10 border border-(--l-line)">
      <Picture url={values.ui_background_image_id?.url ?? null} className="absolute! inset-0" />
      <div className="relative">
        <div className="flex items-center gap-2 bg-(--l-scrim) px-3 py-2">
          <Logo image={values.logo_image_id} className="size-6 rounded-6" />
          <span className="min-w-0 flex-1 truncate text-13 font-semibold">{name}</span>
          <Minus size={14} className="text-(--l-dim)" aria-hidden="true" />
          <X size={14} className="text-(--l-dim)" aria-hidden="true" />
        </div>
        {children}
      </div>
    </div>
  )
}

function DefaultPage({ color, servers, news }: { color: string; servers: readonly PreviewServer[]; news: ReactNode }) {
  return (
    <>
      <div className={news ? 'grid gap-3 p-3 sm:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]' : 'p-3'}>
        <div className="overflow-hidden rounded-6 bg-(--l-scrim)">
          {servers.slice(0, MAX_ROWS).map((server, index) => (
            <LauncherRow key={index} server={server} isChosen={index === 0} color={color} />
          ))}
          {servers.length > MAX_ROWS && (
            <p className="px-3 py-1.5 text-12 text-(--l-dim)">{m.benefits_preview_more({ count: servers.length - MAX_ROWS })}</p>
          )}
          {servers.length === 0 && <p className="px-3 py-4 text-center text-12 text-(--l-dim)">{m.benefits_preview_no_servers()}</p>}
        </div>
        {news}
      </div>
      <div className="flex justify-end px-3 pb-3">
        <LauncherButton color={color}>{m.benefits_preview_connect()}</LauncherButton>
      </div>
    </>
  )
}

function CustomPage({ address }: { address: string }) {
  return (
    <div className="m-3 rounded-6 bg-(--l-scrim) px-4 py-10 text-center">
      <AppWindow size={20} className="mx-auto text-(--l-dim)" aria-hidden="true" />
      <p className="mt-2 text-13 font-medium">{m.benefits_preview_own_page()}</p>
      <p className="mt-0.5 text-12 break-all text-(--l-dim)">{address}</p>
    </div>
  )
}

function News({ titles }: { titles: readonly string[] }) {
  return (
    <div className="min-w-0 rounded-6 bg-(--l-scrim) p-3">
      <p className="mb-2 flex items-center gap-1.5 text-12 font-medium">
        <Rss size={12} aria-hidden="true" />
        {m.benefits_form_feed_title()}
      </p>
      {titles.length === 0 ? (
        <p className="text-12 text-(--l-dim)">{m.benefits_preview_feed()}</p>
      ) : (
        <ul className="space-y-1.5">
          {titles.slice(0, MAX_ROWS).map((title, index) => (
            <li key={index} className="line-clamp-2 text-12 break-words text-(--l-dim)">
              {title}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
