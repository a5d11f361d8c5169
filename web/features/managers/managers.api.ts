/** Who manages whose servers. All of it is a part of `me`. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Permission } from '#contract/permissions.ts'
import type { GivenManagement, Me, PublicUser } from '#contract/users.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { call } from '#web/lib/call.ts'
import { detailsOf, isStatus, messageOf } from '#web/lib/http-error.ts'
import { toastError } from '#web/ui/toast.ts'

/** Changes `me` at once. Returns how to undo that. */
async function updateMeCache(client: QueryClient, change: (me: Me) => Me): Promise<() => void> {
  await client.cancelQueries({ queryKey: meOptions.queryKey })
  const before = client.getQueryData(meOptions.queryKey)
  client.setQueryData(meOptions.queryKey, (me) => me && change(me))
  return () => client.setQueryData(meOptions.queryKey, before)
}

function invalidateManagers(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: meOptions.queryKey })
  void client.invalidateQueries({ queryKey: ['activity'] })
}

export function useGrantPermissions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ person, permissions }: { person: PublicUser; permissions: Permission[] }) =>
      call('POST /api/users/management', { body: { user_id: person.id, permissions } }),
    onSuccess: (given) => {
      client.setQueryData(meOptions.queryKey, (me) => me && { ...me, gived_managements: upsertGrant(me.gived_managements, given) })
      invalidateManagers(client)
    },
  })
}

function upsertGrant(all: readonly GivenManagement[], given: GivenManagement): GivenManagement[] {
  const known = all.some(({ manager_id }) => manager_id === given.manager_id)
  return known ? all.map((each) => (each.manager_id === given.manager_id ? given : each)) : [...all, given]
}

/** What has ended already is as it should be. */
function ignoreNotFound(ending: Promise<unknown>): Promise<unknown> {
  return ending.catch((error: unknown) => {
    if (!isStatus(error, 404)) throw error
  })
}

/** The list shows it at once, and undoes it where it fails. */
export function useRevokeManager() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ manager_id }: GivenManagement) =>
      ignoreNotFound(call('DELETE /api/users/management', { body: { user_id: manager_id } })),
    onMutate: ({ id }) =>
      updateMeCache(client, (me) => ({ ...me, gived_managements: me.gived_managements.filter((each) => each.id !== id) })),
    onError: (error, { manager }, undo) => {
      undo?.()
      toastError(`${manager.discord.username} still manages your servers`, messageOf(error), detailsOf(error))
    },
    onSettled: () => invalidateManagers(client),
  })
}

export function useStopManaging(managementId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => ignoreNotFound(call('DELETE /api/users/management/self/{id}', { params: { id: managementId } })),
    onMutate: () =>
      updateMeCache(client, (me) => ({ ...me, recieved_managements: me.recieved_managements.filter(({ id }) => id !== managementId) })),
    onError: (_error, _none, undo) => {
      undo?.()
      return client.invalidateQueries({ queryKey: meOptions.queryKey })
    },
  })
}

export function removeOwnerFromCache(client: QueryClient, ownerId: string): void {
  client.setQueryData(
    meOptions.queryKey,
    (me) => me && { ...me, recieved_managements: me.recieved_managements.filter((each) => each.owner_id !== ownerId) },
  )
  client.setQueryData(
    serverListOptions.queryKey,
    (list) => list && { ...list, management: list.management.filter((each) => each.user_id !== ownerId) },
  )
  client.removeQueries({ queryKey: ['managed', ownerId] })
}
