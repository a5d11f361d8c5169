import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CircleX } from 'lucide-react'
import type { AnnounceAttempt, Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { WaitingDot } from './first-announce.tsx'
import { announcesOptions, serverOptions } from './servers.api.ts'

/** Whether the first announce has arrived, in one line. */
export function Arrival({ id }: { id: string }) {
  const { data: server } = useQuery(serverOptions(id))
  const { data: attempts = [] } = useQuery(announcesOptions(id))
  const { icon, text } = arrivalOf(server, attempts[0])
  return (
    <p role="status" className="flex min-w-0 flex-1 basis-64 items-center gap-2 text-13 text-ink-2">
      {icon}
      <span className="line-clamp-2 min-w-0 [overflow-wrap:anywhere]">{text}</span>
    </p>
  )
}

function arrivalOf(server: Server | undefined, newest: AnnounceAttempt | undefined) {
  if (server !== undefined && server.status !== 'never_seen') {
    return { icon: <CircleCheck size={18} className="shrink-0 text-ok" aria-hidden="true" />, text: m.new_server_arrived() }
  }
  if (newest?.outcome === 'refused') {
    const icon = <CircleX size={18} className="shrink-0 text-danger" aria-hidden="true" />
    return { icon, text: m.servers_first_rejected({ reason: newest.message }) }
  }
  return { icon: <WaitingDot />, text: m.servers_first_waiting() }
}
