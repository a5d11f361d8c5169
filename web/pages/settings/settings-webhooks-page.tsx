import { useSuspenseQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { WebhookList } from '#web/features/webhooks/webhook-list.tsx'
import { webhooksOptions } from '#web/features/webhooks/webhooks.api.ts'
import { useTitle } from '#web/lib/use-title.ts'

export function SettingsWebhooksPage() {
  const { data: webhooks } = useSuspenseQuery(webhooksOptions)
  const { data: list } = useSuspenseQuery(serverListOptions)
  useTitle(m.nav_webhooks())
  return <WebhookList webhooks={webhooks} servers={list.owned} />
}
