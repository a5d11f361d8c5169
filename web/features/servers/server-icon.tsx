import type { Server } from '#contract/servers/servers.ts'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { visibleAppearance } from './listing/visible-appearance.ts'
import { StatusDot } from './status-pill.tsx'

/** The icon that players see. */
export function ServerIcon({ server, isTiny, className = 'size-9' }: { server: Server; isTiny?: boolean; className?: string }) {
  const { iconUrl } = visibleAppearance(server)
  return <ImageTile id={server.public_id} name={server.name} url={iconUrl} isTiny={isTiny} className={className} />
}

/** Small, with the status on its corner. */
export function ServerStatusIcon({ server }: { server: Server }) {
  return (
    <span className="relative flex shrink-0">
      <ServerIcon server={server} isTiny className="size-5" />
      <span className="absolute -right-1 -bottom-1 flex rounded-full bg-surface-1 p-px">
        <StatusDot server={server} className="size-2.5" />
      </span>
    </span>
  )
}
