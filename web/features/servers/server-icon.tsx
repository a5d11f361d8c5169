import type { Server } from '#contract/servers/servers.ts'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { visibleAppearance } from './listing/visible-appearance.ts'
import { StatusDot } from './status-pill.tsx'

/** The icon that players see. */
export function ServerIcon({ server, className = 'size-9' }: { server: Server; className?: string }) {
  return <ImageTile id={server.public_id} name={server.name} url={visibleAppearance(server).iconUrl} className={className} />
}

/** Small, after the status. */
export function ServerStatusIcon({ server }: { server: Server }) {
  return (
    <span className="flex shrink-0 items-center gap-1.5">
      <StatusDot server={server} />
      <ServerIcon server={server} className="size-5" />
    </span>
  )
}
