/** The public page of a server (backend/features/public-site/public-server.ts). */
import { OFFLINE_PAGE_MS } from '#contract/public-page.ts'
import type { Server } from '#contract/servers.ts'
import { m } from '#messages'
import { visibleAppearance } from '#web/features/servers/listing/visible-appearance.ts'

const ENDED = new Set(['OFFLINE', 'LEFT', 'CREDENTIAL_REISSUED'])

export function publicPath(server: Server): string {
  return `/s/${visibleAppearance(server).vanity ?? server.public_id}`
}

/** Why the server has no public page, as a sentence. Undefined if it has one. @param now milliseconds */
export function whyNoPublicPage({ banned, status, visible, listing }: Server, now: number): string | undefined {
  if (listing.listed) return undefined
  const has = (code: string) => listing.reasons.some((reason) => reason.code === code)
  if (banned || has('OWNER_BANNED')) return m.servers_share_none_banned()
  if (has('HELD_BACK')) return m.servers_share_none_unlisted()
  if (!visible) return m.servers_share_none_hidden()
  if (status === 'never_seen') return m.servers_share_none_never()
  const since = listing.reasons.find(({ code }) => ENDED.has(code))?.since
  if (since !== undefined && now - Date.parse(since) >= OFFLINE_PAGE_MS) return m.servers_share_none_offline()
  return undefined
}
