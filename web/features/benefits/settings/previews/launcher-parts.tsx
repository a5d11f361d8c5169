import { Users } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import type { FormImage } from '#web/features/images/form-image.ts'
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
  className: string
  /** In place of an image. */
  children?: ReactNode
}

export function Picture({ url, className, children }: PictureProps) {
  return (
    <div className={cx('launcher-empty relative overflow-hidden', className)}>
      {url === null ? children : <img src={url} alt="" className="absolute inset-0 size-full object-cover" />}
    </div>
  )
}

export function Logo({ image, className }: { image: FormImage; className: string }) {
  return image && <img src={image.url} alt="" className={cx('object-cover', className)} />
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
      <ImageTile id={server.id} name={server.name} url={server.icon_url} className="size-8" />
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
