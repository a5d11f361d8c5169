/** The public page of a server (backend/services/public-site/public-server.ts). */
import { OFFLINE_PAGE_MS } from '#contract/public-site/public-page.ts'
import type { Server } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { visibleAppearance } from '#web/features/servers/listing/visible-appearance.ts'

export const publicPath = (server: Server) => `/s/${visibleAppearance(server).vanity ?? server.public_id}`

/** Why the server has no public page, as a sentence. Undefined if it has one. @param now milliseconds */
export function whyNoPublicPage(server: Server, now: number): string | undefined {
  const { banned, status, visible, listing, offline_since: offlineSince } = server
  if (listing.listed) return undefined
  const has = (code: string) => listing.reasons.some((reason) => reason.code === code)
  if (banned || has('OWNER_BANNED')) return m.servers_share_none_banned()
  if (has('HELD_BACK')) return m.servers_share_none_unlisted()
  if (!visible) return m.servers_share_none_hidden()
  if (status === 'never_seen') return m.servers_share_none_never()
  if (offlineSince !== null && now - Date.parse(offlineSince) >= OFFLINE_PAGE_MS) return m.servers_share_none_offline()
  return undefined
}
