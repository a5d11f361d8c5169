/**
 * What the signed-in person may do with a server: everything with one's own, what the owner allows with somebody else's, and, as an
 * administrator, all but making a credential.
 */
import { type Permission, PERMISSIONS } from '#contract/permissions.ts'
import type { AdminServer } from '#contract/servers-admin.ts'
import type { ManagedServer, Server } from '#contract/servers.ts'

/**
 * A server as pages show it. With an owner it is somebody else's, and the permissions say what may be done; with the number of its
 * issues it is one that an administrator looks at, whosever it is.
 */
export type ShownServer = Server & Partial<Pick<ManagedServer, 'owner' | 'permissions'> & Pick<AdminServer, 'open_issues'>>

/** Whether it is shown in the admin area. */
export function isAdministered({ open_issues: issues }: ShownServer): boolean {
  return issues !== undefined
}

/** Whether the act that the permission stands for is allowed. */
export function may(server: ShownServer, permission: Permission): boolean {
  if (isAdministered(server)) return permission !== 'REISSUE_CREDENTIAL'
  return server.permissions?.includes(permission) ?? true
}

/** `Edit details, reset address`: the permissions as one line of text. */
export function permissionsText(permissions: readonly Permission[]): string {
  const names = permissions.map((key) => PERMISSIONS[key].name.toLowerCase()).join(', ')
  return names.slice(0, 1).toUpperCase() + names.slice(1)
}

/** Where a server's page is. */
export function pageOf(server: ShownServer) {
  return server.owner === undefined
    ? ({ to: '/servers/$server_id', params: { server_id: server.public_id } } as const)
    : ({
        to: '/management/$user_id/servers/$server_id',
        params: { user_id: server.user_id, server_id: server.public_id },
      } as const)
}
