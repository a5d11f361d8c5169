import type { Server } from '#contract/servers/servers.ts'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { visibleAppearance } from './listing/visible-appearance.ts'
import { StatusDot } from './status-pill.tsx'

/** The icon that players see. */
export function ServerIcon({ server, className = 'size-9' }: { server: Server; className?: string }) {
  return <ImageTile id={server.public_id} name={server.name} url={visibleAppearance(server).iconUrl} className={className} />
}

/** Small, with the status at its corner. */
export function ServerStatusIcon({ server }: { server: Server }) {
  return (
    <span className="relative flex shrink-0">
      <ServerIcon server={server} className="size-5" />
      <span className="absolute -right-1.5 -bottom-1.5 flex scale-75 rounded-full bg-surface-1">
        <StatusDot server={server} />
      </span>
    </span>
  )
}
