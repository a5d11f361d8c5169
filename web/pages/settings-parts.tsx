/** The parts of the settings, each with an address of its own. */
import { useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useId, useRef } from 'react'
import { DeleteAccount } from '#web/features/account/delete-account.tsx'
import { ExportCard } from '#web/features/account/export-card.tsx'
import { ActivityList } from '#web/features/activity/activity-list.tsx'
import { accountActivityOptions } from '#web/features/activity/activity.api.ts'
import { RecentActivity } from '#web/features/activity/recent-activity.tsx'
import { AddManager } from '#web/features/managers/add-manager.tsx'
import { ManagerList } from '#web/features/managers/manager-list.tsx'
import { ReceivedManagements } from '#web/features/managers/received-managements.tsx'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { IncomingTransfer } from '#web/features/transfers/incoming-transfer.tsx'
import { OutgoingTransfer } from '#web/features/transfers/outgoing-transfer.tsx'
import { focusOnceGone } from '#web/lib/focus.ts'
import { useTitle } from '#web/lib/use-title.ts'
import '#web/ui/mono.css'

export function SettingsManagersPage() {
  const { data: me } = useSuspenseQuery(meOptions)
  useTitle('Managers')
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_340px]">
      <div className="space-y-5">
        <AddManager me={me} />
        <ManagerList me={me} />
        <ReceivedManagements me={me} />
      </div>
      <RecentActivity />
    </div>
  )
}

export function SettingsTransfersPage() {
  const { data: list } = useSuspenseQuery(serverListOptions)
  const incomingTitle = useRef<HTMLHeadingElement>(null)
  const outgoingTitle = useRef<HTMLHeadingElement>(null)
  useTitle('Transfers')
  const { incoming_transfers: incoming, outgoing_transfers: outgoing } = list
  return (
    <div className="max-w-[840px] space-y-8">
      <Offers title="Offered to you" titleRef={incomingTitle}>
        {incoming.length === 0 ? (
          <NoOffers>
            Nobody offers you a server right now. When somebody does, the offer stands here and above your servers for seven days.
          </NoOffers>
        ) : (
          <div className="space-y-3">
            {incoming.map((transfer) => (
              <IncomingTransfer key={transfer.id} transfer={transfer} onGone={() => focusOnceGone(() => incomingTitle.current)} />
            ))}
          </div>
        )}
      </Offers>
      <Offers title="Offered by you" titleRef={outgoingTitle}>
        {outgoing.length === 0 ? (
          <NoOffers>
            You offer no server right now. To hand one over, open it and choose <strong className="font-medium text-ink-1">Danger</strong>,
            then <strong className="font-medium text-ink-1">Hand over</strong>.
          </NoOffers>
        ) : (
          <div className="card divide-y divide-line">
            {outgoing.map((transfer) => (
              <OutgoingTransfer key={transfer.id} transfer={transfer} onGone={() => focusOnceGone(() => outgoingTitle.current)} />
            ))}
          </div>
        )}
      </Offers>
    </div>
  )
}

/** @param titleRef takes the focus when an offer that had it is gone. */
function Offers({ title, titleRef, children }: { title: string; titleRef: RefObject<HTMLHeadingElement | null>; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id} ref={titleRef} tabIndex={-1} className="mb-3 font-medium outline-none">
        {title}
      </h2>
      {children}
    </section>
  )
}

function NoOffers({ children }: { children: ReactNode }) {
  return <p className="card px-5 py-6 text-13 text-pretty text-ink-2">{children}</p>
}

export function SettingsActivityPage() {
  useTitle('Activity')
  return (
    <div className="max-w-[840px]">
      <ActivityList options={accountActivityOptions} />
    </div>
  )
}

export function SettingsDeleteAccountPage() {
  const { data: me } = useSuspenseQuery(meOptions)
  const { data: list } = useSuspenseQuery(serverListOptions)
  useTitle('Delete account')
  return (
    <div className="max-w-[720px] space-y-5">
      <ExportCard username={me.discord.username} />
      <DeleteAccount me={me} list={list} />
    </div>
  )
}
