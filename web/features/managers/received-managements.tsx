import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Me, ReceivedManagement } from '#contract/users.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { StopManagingDialog } from './stop-managing.tsx'
import { Person } from '#web/features/users/person.tsx'
import { focusOnceGone } from '#web/lib/focus.ts'
import { Button } from '#web/ui/button.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { PermissionChips } from '#web/features/servers/managed/permission-chips.tsx'

/** Whose servers one manages, and the way out of it. */
export function ReceivedManagements({ me }: { me: Me }) {
  const [asked, setAsked] = useState<ReceivedManagement>()
  const title = useRef<HTMLHeadingElement>(null)
  const received = me.recieved_managements
  return (
    <section aria-labelledby="received" className="card">
      <h2 id="received" ref={title} tabIndex={-1} className="px-5 py-4 font-medium outline-none">
        Servers I manage for others
      </h2>
      {received.length === 0 ? (
        <p className="border-t border-line px-5 py-6 text-13 text-pretty text-ink-2">
          You manage nobody else’s servers. When somebody adds you as a manager, their servers appear in your list under their name.
        </p>
      ) : (
        <ul className="divide-y divide-line border-t border-line">
          {received.map((each) => (
            <ReceivedRow key={each.id} received={each} onStop={() => setAsked(each)} />
          ))}
        </ul>
      )}
      {asked && (
        <StopManagingDialog
          owner={asked.owner}
          managementId={asked.id}
          onStopped={() => {
            setAsked(undefined)
            focusOnceGone(() => title.current)
          }}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  )
}

function ReceivedRow({
  received: { owner, owner_id, permissions, created_at },
  onStop,
}: {
  received: ReceivedManagement
  onStop: () => void
}) {
  const { data: list } = useQuery(serverListOptions)
  const count = list?.management.filter(({ user_id }) => user_id === owner_id).length
  return (
    <li className="flex flex-col gap-3 px-5 py-4 sm:flex-row sm:items-start sm:justify-between sm:gap-5">
      <div className="min-w-0 space-y-2.5">
        <Person person={owner}>
          {count !== undefined && `${count} ${count === 1 ? 'server' : 'servers'} · `}added you <TimeAgo at={created_at} />
        </Person>
        <div className="sm:pl-11">
          <PermissionChips permissions={permissions} />
        </div>
      </div>
      <Button className="shrink-0" onClick={onStop} aria-label={`Stop managing the servers of ${owner.discord.username}`}>
        Stop managing…
      </Button>
    </li>
  )
}
