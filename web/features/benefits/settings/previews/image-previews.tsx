import { Globe, ImageOff, Users } from 'lucide-react'
import { m } from '#messages'
import { LauncherBar, LauncherButton, LauncherRow, Picture, type PreviewServer } from './launcher-parts.tsx'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { DEFAULT_COLOR } from '#web/features/benefits/settings/color.ts'

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
