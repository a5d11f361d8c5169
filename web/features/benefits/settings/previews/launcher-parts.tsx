import { Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { playersText } from '#web/features/servers/listing/visible-appearance.ts'
import { languageName } from '#web/lib/language-name.ts'
import { cx } from '#web/ui/class-names.ts'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { textColorOn } from '#web/features/benefits/settings/color.ts'
import './launcher.css'

export type PreviewServer = ReturnType<typeof toPreview>

/** What players see of the server, or of a sample server if undefined. */
export function toPreview(server: Server | undefined) {
  if (server === undefined) {
    return {
      id: 'sample',
      name: m.benefits_preview_server(),
      icon_url: null,
      players: '37 / 128',
      game_mode: m.benefits_preview_game_mode(),
      language: m.benefits_preview_language(),
      description: m.benefits_preview_description(),
      tags: [m.benefits_preview_tag()],
    }
  }
  const { public_id, name, icon_url, live, game_mode, description, tags, dormant } = server
  return {
    id: public_id,
    name,
    // Players don't see the icon of a lapsed benefit.
    icon_url: dormant.includes('icon_image_id') ? null : icon_url,
    players: playersText(live),
    game_mode,
    language: languageName(server.language),
    description,
    tags: tags.filter((tag) => tag.toLowerCase() !== game_mode.toLowerCase()),
  }
}

interface PictureProps {
  url: string | null
  className?: string
  isTransparent?: boolean
  children?: ReactNode
}

export function Picture({ url, className, isTransparent = false, children }: PictureProps) {
  const [result, setResult] = useState<{ url: string; isLoaded: boolean }>()
  const state = url === null ? 'none' : result?.url !== url ? 'loading' : result.isLoaded ? 'loaded' : 'broken'
  const background = state === 'loading' ? 'launcher-loading' : !isTransparent && 'launcher-empty'
  return (
    <div className={cx('relative overflow-hidden', background, className)}>
      {url !== null && state !== 'broken' && (
        <img
          key={url}
          src={url}
          alt=""
          onLoad={() => setResult({ url, isLoaded: true })}
          onError={() => setResult({ url, isLoaded: false })}
          className={cx('absolute inset-0 size-full object-cover', state === 'loading' && 'opacity-0')}
        />
      )}
      {(state === 'none' || state === 'broken') && children}
    </div>
  )
}

export function Icon({ server: { id, name, icon_url }, className = 'size-8' }: { server: PreviewServer; className?: string }) {
  return <ImageTile id={id} name={name} url={icon_url} className={className} />
}

export function LauncherButton({ color, children }: { color: string; children: ReactNode }) {
  const style = { background: color, color: textColorOn(color) }
  return (
    <span style={style} className="inline-flex items-center justify-center rounded-6 px-3 py-1.5 text-13 font-semibold">
      {children}
    </span>
  )
}

export function LauncherBar({ color, percent }: { color: string; percent: number }) {
  return (
    <span aria-hidden="true" className="block h-1 overflow-hidden rounded-6 bg-(--l-line)">
      <span style={{ width: `${percent}%`, background: color }} className="block h-full" />
    </span>
  )
}

export function LauncherRow({ server, isChosen, color }: { server: PreviewServer; isChosen: boolean; color: string }) {
  return (
    <div
      style={isChosen ? { boxShadow: `inset 3px 0 ${color}` } : undefined}
      className={cx('flex items-center gap-3 px-3 py-2', isChosen && 'bg-(--l-raised)')}
    >
      <Icon server={server} />
      <span className="min-w-0 flex-1">
        <span className="block truncate text-13 font-medium">{server.name}</span>
        <span className="block truncate text-12 text-(--l-dim)">
          {[server.game_mode, ...server.tags.slice(0, 2)].filter(Boolean).join(' · ') || server.language}
        </span>
      </span>
      <span className="inline-flex shrink-0 items-center gap-1 text-12 text-(--l-dim) tabular-nums">
        <Users size={12} aria-hidden="true" />
        {server.players}
      </span>
    </div>
  )
}
