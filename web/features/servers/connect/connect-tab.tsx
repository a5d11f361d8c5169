import type { ReactNode } from 'react'
import { m } from '#messages'
import { hasPermission, type ShownServer } from '#web/features/servers/access.ts'
import { Button } from '#web/ui/button.tsx'
import { ConnectGuide } from './connect-guide.tsx'
import { TestNow } from './test-now.tsx'

interface ConnectTabProps {
  server: ShownServer
  /** Below the test of a listed server. */
  nextSteps?: ReactNode
  onReissue: () => void
}

export function ConnectTab({ server, nextSteps, onReissue }: ConnectTabProps) {
  const canReissue = hasPermission(server, 'REISSUE_CREDENTIAL')
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_380px]">
      <section aria-labelledby="connect" className="card p-5">
        <h2 id="connect" className="mb-4 font-medium">
          {m.servers_connect_title()}
        </h2>
        <ConnectGuide
          server={server}
          placeholderNote={canReissue ? m.servers_connect_placeholder_here : m.servers_connect_placeholder_ask}
          action={
            canReissue && (
              <Button onClick={onReissue}>
                {server.credential_hint === '' ? m.servers_credential_create() : m.servers_credential_reissue()}
              </Button>
            )
          }
        />
      </section>
      <div className="space-y-5 lg:sticky lg:top-6 lg:-m-1 lg:max-h-[calc(100dvh-6rem)] lg:overflow-y-auto lg:p-1">
        <TestNow server={server} />
        {server.listing.listed && nextSteps}
      </div>
    </div>
  )
}
