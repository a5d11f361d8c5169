/** Permissions for a server, and the link to its page. */
import type { Permission } from '#contract/servers/permissions.ts'
import type { AdminServer } from '#contract/servers/servers-admin.ts'
import type { ManagedServer, Server, ServerList } from '#contract/servers/servers.ts'

/** A server on a page. `owner` is set if another user owns it, `open_issues` in the admin area. */
export type ShownServer = Server & Partial<Pick<ManagedServer, 'owner' | 'permissions'> & Pick<AdminServer, 'open_issues'>>

export const isAdminServer = ({ open_issues: issues }: ShownServer) => issues !== undefined

/** Owners may do everything, and managers what the owner allows. Administrators may do everything except reissue a credential. */
export function hasPermission(server: ShownServer, permission: Permission): boolean {
  if (isAdminServer(server)) return permission !== 'REISSUE_CREDENTIAL'
  return server.permissions?.includes(permission) ?? true
}

/** Whether they may change a part of the listing. */
export const canEdit = (server: ShownServer) => hasPermission(server, 'EDIT_DETAILS') || hasPermission(server, 'EDIT_APPEARANCE')

export function serverLink({ owner, user_id, public_id: server_id }: ShownServer) {
  if (owner === undefined) return { to: '/servers/$server_id', params: { server_id } } as const
  return { to: '/management/$user_id/servers/$server_id', params: { user_id, server_id } } as const
}

/** Finds one of the user's own or managed servers by its vanity ID, written as `@name`. */
export function findByVanity({ owned, management }: ServerList, text: string): ShownServer | undefined {
  if (!text.startsWith('@')) return undefined
  const vanityId = text.slice(1).toLowerCase()
  return [...owned, ...management].find(({ vanity_url }) => vanity_url === vanityId)
}
