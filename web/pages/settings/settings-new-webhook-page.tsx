import { useSuspenseQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { WEBHOOK_LIMITS } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { NewWebhook } from '#web/features/webhooks/form/new-webhook.tsx'
import { webhooksOptions } from '#web/features/webhooks/webhooks.api.ts'
import '#web/ui/mono.css'
import { useTitle } from '#web/lib/use-title.ts'
import { BackLink } from '#web/ui/back-link.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'

export function SettingsNewWebhookPage() {
  const { server: serverId } = useSearch({ from: '/member/settings/webhooks/new' })
  const { data: webhooks } = useSuspenseQuery(webhooksOptions)
  const { data: list } = useSuspenseQuery(serverListOptions)
  const { data: about } = useSuspenseQuery(aboutOptions)
  useTitle(m.webhooks_new())
  // Decided once, because the webhook that this page creates must not end it.
  const [isFull] = useState(webhooks.length >= WEBHOOK_LIMITS.perAccount)
  return (
    <>
      <div className="mb-2 text-13 text-ink-3">
        <BackLink to="/settings/webhooks">{m.nav_webhooks()}</BackLink>
      </div>
      <h2 className="mb-4 text-16 font-semibold">{m.webhooks_new()}</h2>
      {isFull ? (
        <EmptyState title={m.webhooks_full_title()}>{m.webhooks_list_full()}</EmptyState>
      ) : (
        <NewWebhook
          servers={list.owned}
          server={list.owned.find(({ public_id }) => public_id === serverId)}
          minSilence={about.announce_ttl_seconds}
        />
      )}
    </>
  )
}
