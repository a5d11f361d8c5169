import type { Server } from '#contract/servers/servers.ts'
import { ImageTile } from '#web/ui/image-tile.tsx'
import { visibleAppearance } from './listing/visible-appearance.ts'

/** The icon that players see. */
export function ServerIcon({ server, className = 'size-9' }: { server: Server; className?: string }) {
  return <ImageTile id={server.public_id} name={server.name} url={visibleAppearance(server).iconUrl} className={className} />
}
