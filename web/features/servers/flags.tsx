import { EyeOff, Megaphone } from 'lucide-react'
import type { Server } from '#contract/servers.ts'

/** What is special about a server, beside its name. */
export function Flags({ server }: { server: Server }) {
  return (
    <>
      {server.promoted && <Megaphone size={14} className="shrink-0 text-info" role="img" aria-label="Promoted" data-tip="Promoted" />}
      {!server.visible && (
        <EyeOff size={14} className="shrink-0 text-ink-3" role="img" aria-label="Hidden from the list" data-tip="Hidden from the list" />
      )}
    </>
  )
}
