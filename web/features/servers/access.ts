/** What the signed-in person may do with a server: everything with one's own, what the owner allows with somebody else's. */
import { type Permission, PERMISSIONS } from '#contract/permissions.ts'
import type { ManagedServer, Server } from '#contract/servers.ts'

/** A server as pages show it. With an owner it is somebody else's, and the permissions say what may be done. */
export type ShownServer = Server & Partial<Pick<ManagedServer, 'owner' | 'permissions'>>

/** Whether the act that the permission stands for is allowed. */
export function may(server: ShownServer, permission: Permission): boolean {
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
