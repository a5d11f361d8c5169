/** What a bulk change sends for each server. */
import type { ServerChanges } from '#contract/servers/servers.ts'
import type { Permission } from '#contract/servers/permissions.ts'
import { hasPermission, type ShownServer } from '#web/features/servers/access.ts'
import { compareTexts } from '#web/lib/lists.ts'

export type BulkChange =
  | { readonly kind: 'visible'; readonly visible: boolean }
  | { readonly kind: 'add tags'; readonly tags: readonly string[] }
  | { readonly kind: 'remove tags'; readonly tags: readonly string[] }
  /** @param group_id null leaves the group */
  | { readonly kind: 'group'; readonly group_id: string | null }

const PERMISSIONS: Record<BulkChange['kind'], Permission> = {
  visible: 'EDIT_DETAILS',
  'add tags': 'EDIT_DETAILS',
  'remove tags': 'EDIT_DETAILS',
  group: 'EDIT_APPEARANCE',
}

/** A group belongs to one owner, so a move changes only that owner's servers. @param ownerId the owner of the groups */
export function canChange(server: ShownServer, kind: BulkChange['kind'], ownerId?: string): boolean {
  return hasPermission(server, PERMISSIONS[kind]) && (kind !== 'group' || server.user_id === ownerId)
}

const isSameTag = (a: string) => (b: string) => a.toLowerCase() === b.toLowerCase()

/** Undefined if the server already is as wanted. Tags are equal regardless of case, as for the backend. */
export function changesFor(server: ShownServer, change: BulkChange): ServerChanges | undefined {
  switch (change.kind) {
    case 'visible':
      return server.visible === change.visible ? undefined : { visible: change.visible }
    case 'group':
      return server.group_id === change.group_id ? undefined : { group_id: change.group_id }
    case 'add tags': {
      const added = change.tags.filter((tag) => !server.tags.some(isSameTag(tag)))
      return added.length === 0 ? undefined : { tags: [...server.tags, ...added] }
    }
    case 'remove tags': {
      const tags = server.tags.filter((tag) => !change.tags.some(isSameTag(tag)))
      return tags.length === server.tags.length ? undefined : { tags }
    }
  }
}

/** The values that a change replaced. */
export function replacedBy(changes: ServerChanges, server: ShownServer): ServerChanges {
  const fields = Object.keys(changes) as (keyof ServerChanges & keyof ShownServer)[]
  return Object.fromEntries(fields.map((field) => [field, server[field]]))
}

/** Sorted, each tag once. */
export function tagsOf(servers: readonly ShownServer[]): string[] {
  const tags = new Map(servers.flatMap((server) => server.tags.map((tag) => [tag.toLowerCase(), tag])))
  return [...tags.values()].toSorted(compareTexts)
}
