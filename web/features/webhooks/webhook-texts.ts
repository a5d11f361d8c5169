/** Facts about a webhook as short texts. */
import type { Server } from '#contract/servers/servers.ts'
import type { Webhook } from '#contract/webhooks/webhooks.ts'
import { m } from '#messages'
import { counted } from '#web/ui/count-text.ts'

/** `discord.com`. The rest of a URL may be a secret. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}

export function coversServer({ server_ids: ids }: Pick<Webhook, 'server_ids'>, publicId: string): boolean {
  return ids.length === 0 || ids.includes(publicId)
}

/** `All servers`, the name of the only one, or `3 servers`. */
export function serversText({ server_ids: ids }: Webhook, owned: readonly Server[]): string {
  if (ids.length === 0) return m.webhooks_all_servers()
  const only = ids.length === 1 ? owned.find(({ public_id }) => public_id === ids[0]) : undefined
  return only?.name ?? m.count_servers(counted(ids.length))
}
