import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { m } from '#messages'
import { managedGroups } from '#web/features/servers/managed/managed-groups.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { SummaryStrip } from '#web/features/servers/summary-strip.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { PageHeader } from '#web/ui/page-header.tsx'
import { FirstServer } from '#web/features/servers/first-server.tsx'
import { DeletedServers } from '#web/features/servers/deleted-servers.tsx'
import { ServerList } from '#web/features/servers/list/server-list.tsx'
import { AnswerLine } from '#web/features/notifications/answer-line.tsx'

export function ServersPage() {
  const { data: list } = useSuspenseQuery(serverListOptions)
  const { data: me } = useSuspenseQuery(meOptions)
  useTitle(m.nav_servers())
  const { owned } = list
  const managed = managedGroups(me.recieved_managements, list.management)
  const all = [...owned, ...list.management]
  const max = me.max_masterlist_tokens
  return (
    <>
      <PageHeader
        title={m.nav_servers()}
        beside={
          // Two lines on a phone, so that the button stays beside it.
          <span className="text-13 text-ink-3 tabular-nums max-sm:max-w-24 max-sm:leading-4">
            {list.management.length > 0
              ? m.servers_page_count_managed({ count: owned.length, max, managed: list.management.length })
              : m.servers_page_count({ count: owned.length, max })}
          </span>
        }
        action={
          owned.length > 0 &&
          (owned.length < max ? (
            <Link to="/servers/new" className={buttonClass('primary')}>
              <Plus size={16} aria-hidden="true" />
              {m.nav_new_server()}
            </Link>
          ) : (
            <span className="text-13 text-ink-3">{m.servers_page_limit({ max })}</span>
          ))
        }
      />
      {(all.length > 0 || list.incoming_transfers.length > 0) && (
        <div className="card mb-4 overflow-hidden">
          {all.length > 0 && <SummaryStrip servers={all} />}
          <AnswerLine userId={me.id} transfers={list.incoming_transfers} />
        </div>
      )}
      {(owned.length > 0 || managed.length > 0) && <ServerList servers={owned} managed={managed} pinned={list.pinned} />}
      {owned.length === 0 && (
        <div className={managed.length > 0 ? 'mt-8' : undefined}>
          <FirstServer />
        </div>
      )}
      <DeletedServers />
    </>
  )
}
