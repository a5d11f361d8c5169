import { Icon, LauncherBar, Picture } from './launcher-parts.tsx'
import { STANDARD_COLOR } from '#web/features/benefits/settings/color.ts'
import type { Shown } from './shown.ts'

/** The screen while a player joins: the picture fills it, the server's name and how far it is stand on it. */
export function JoinPreview({ shown, backgroundUrl, isFor }: { shown: Shown; backgroundUrl: string | null; isFor: boolean }) {
  return (
    <div className="launcher relative overflow-hidden rounded-10 border border-(--l-line)">
      <Picture url={isFor ? backgroundUrl : null} className="aspect-video">
        <p className="absolute inset-x-0 top-[22%] px-6 text-center text-12 text-(--l-dim)">
          {isFor ? 'No picture: players see this' : 'Not for this server'}
        </p>
      </Picture>
      <div className="launcher-shade absolute inset-x-0 bottom-0 px-4 pt-10 pb-4 sm:px-5">
        <div className="flex items-center gap-3">
          <Icon shown={shown} className="size-9 text-13" />
          <div className="min-w-0 flex-1">
            <p className="truncate text-14 font-semibold">{shown.name}</p>
            <p className="truncate text-12 text-(--l-dim)">Loading the server’s files</p>
          </div>
          <p className="text-12 text-(--l-dim) tabular-nums">64%</p>
        </div>
        <div className="mt-3">
          <LauncherBar color={STANDARD_COLOR} percent={64} />
        </div>
      </div>
    </div>
  )
}
