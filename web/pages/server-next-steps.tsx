import { useQuery } from '@tanstack/react-query'
import type { Server } from '#contract/servers/servers.ts'
import { NextSteps } from '#web/features/servers/connect/next-steps.tsx'
import { coversServer } from '#web/features/webhooks/webhook-parts.tsx'
import { webhooksOptions } from '#web/features/webhooks/webhooks.api.ts'

export function ServerNextSteps({ server }: { server: Server }) {
  const { data: webhooks = [] } = useQuery(webhooksOptions)
  return <NextSteps server={server} hasAlerts={webhooks.some((webhook) => webhook.enabled && coversServer(webhook, server.public_id))} />
}
