import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { MIN_BIN_SERVERS } from '#contract/servers/bin-days.ts'
import type { DeletedServer } from '#contract/servers/deleted-servers.ts'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/call.ts'
import { DAY_MS, exactTime, useNow } from '#web/lib/time.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/states.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { restoreServer } from './server-mutations.ts'
import { deletedServersOptions, serverListOptions } from './servers.api.ts'

const HOUR_MS = 3_600_000

/** The servers that can still be restored. Nothing without one. */
export function DeletedServers() {
  const { data: servers = [] } = useQuery(deletedServersOptions)
  if (servers.length === 0) return null
  return (
    <section aria-labelledby="deleted-servers" className="mt-8">
      <h2 id="deleted-servers" tabIndex={-1} className="text-14 font-medium outline-none">
        {m.servers_bin_title()}
      </h2>
      <p className="mt-0.5 mb-2 text-13 text-ink-2">{m.servers_bin_hint({ count: MIN_BIN_SERVERS })}</p>
      <ul className="card divide-y divide-line">
        {servers.map((server) => (
          <DeletedRow key={server.public_id} server={server} />
        ))}
      </ul>
    </section>
  )
}

function DeletedRow({ server }: { server: DeletedServer }) {
  const client = useQueryClient()
  const restore = useMutation({
    mutationFn: (id: string) => restoreServer(client, id),
    // The server may have been restored or deleted for good elsewhere.
    onError: () => client.invalidateQueries({ queryKey: serverListOptions.queryKey }),
  })
  const submit = useSingleFlight(async () => {
    await restore.mutateAsync(server.public_id)
    toastSuccess(m.servers_bin_restored({ server: server.name }), m.servers_bin_restored_hint())
  })
  return (
    <li className="px-4 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <span className="min-w-0">
          <span className="block [overflow-wrap:anywhere]">{server.name}</span>
          <TimeLeft until={server.restorable_until} />
        </span>
        <Button busy={restore.isPending} onClick={submit} aria-label={m.servers_bin_restore_named({ server: server.name })}>
          {m.servers_bin_restore()}
        </Button>
      </div>
      {restore.error && <ErrorNote className="mt-2">{messageOf(restore.error)}</ErrorNote>}
    </li>
  )
}

function TimeLeft({ until }: { until: string }) {
  const left = Date.parse(until) - useNow()
  const text =
    left >= DAY_MS
      ? m.servers_bin_days_left({ count: Math.ceil(left / DAY_MS) })
      : m.servers_bin_hours_left({ count: Math.max(1, Math.ceil(left / HOUR_MS)) })
  return (
    <time dateTime={until} data-tip={exactTime(until)} className="text-12 text-ink-3 tabular-nums">
      {text}
    </time>
  )
}
