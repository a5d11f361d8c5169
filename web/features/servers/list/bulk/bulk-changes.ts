/** What a bulk change sends for each server. */
import { type ServerFieldName, serverField } from '#contract/servers/server-field-shapes.ts'
import type { ServerChanges } from '#contract/servers/servers.ts'
import { hasPermission, type ShownServer } from '#web/features/servers/access.ts'
import { compareTexts } from '#web/lib/lists.ts'
import { isEqual } from '#web/lib/merge.ts'

/** The same change of one field of many servers. */
export type BulkChange = {
  [F in ServerFieldName]: { readonly field: F; readonly next: (current: ShownServer[F]) => ShownServer[F] }
}[ServerFieldName]

/** A group belongs to one owner, so a move changes only that owner's servers. @param ownerId the owner of the groups */
export function canChange(server: ShownServer, field: ServerFieldName, ownerId?: string): boolean {
  const { permission, control } = serverField(field)
  return hasPermission(server, permission) && (control !== 'group' || server.user_id === ownerId)
}

/** Undefined if the server already is as wanted. */
export function changesFor(server: ShownServer, { field, next }: BulkChange): ServerChanges | undefined {
  const wanted = (next as (current: unknown) => unknown)(server[field])
  return isEqual(server[field], wanted) ? undefined : { [field]: wanted }
}

/** Tags are equal regardless of case, as for the backend. */
const isSameTag = (a: string) => (b: string) => a.toLowerCase() === b.toLowerCase()

export const addTags = (tags: readonly string[]): BulkChange => ({
  field: 'tags',
  next: (current) => [...current, ...tags.filter((tag) => !current.some(isSameTag(tag)))],
})

export const removeTags = (tags: readonly string[]): BulkChange => ({
  field: 'tags',
  next: (current) => current.filter((tag) => !tags.some(isSameTag(tag))),
})

/** Sorted, each tag once. */
export function tagsOf(servers: readonly ShownServer[]): string[] {
  const tags = new Map(servers.flatMap((server) => server.tags.map((tag) => [tag.toLowerCase(), tag])))
  return [...tags.values()].toSorted(compareTexts)
}
