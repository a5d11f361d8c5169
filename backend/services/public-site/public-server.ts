/** Which servers have a public page, badge and image. */
import { OFFLINE_PAGE_MS } from '#contract/public-site/public-page.ts'
import type { RowSource } from '#backend/masterlist/registry/listed-row.ts'
import type { Registry } from '#backend/masterlist/registry/registry.ts'
import type { ServerRecord } from '#backend/masterlist/registry/server-record.ts'

/**
 * The server with this public or vanity ID, if it has a public page. Undefined also for hidden, banned, unlisted, deleted and never
 * announced ones, and 30 days after it went offline.
 */
export function publicServer(registry: Pick<Registry, 'find'>, id: string, now: number): ServerRecord | undefined {
  const server = registry.find(id)
  return server !== undefined && hasPublicPage(server, now) ? server : undefined
}

/** @param now wall milliseconds. */
function hasPublicPage(server: ServerRecord, now: number): boolean {
  return server.isPublic && server.announced !== undefined && (server.online || now - server.since < OFFLINE_PAGE_MS)
}

/** Whether a row of the list has not been hidden or banned since. */
export function isStillPublic(registry: Pick<Registry, 'get'>, { fields }: Pick<RowSource, 'fields'>): boolean {
  return registry.get(fields.publicId)?.isPublic === true
}
