/** Mutations of manager grants. All grants are part of `me`. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Grant } from '#contract/servers/managers.ts'
import type { GivenManagement, Me } from '#contract/users/users.ts'
import { m } from '#messages'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { call } from '#web/lib/http/call.ts'
import { detailsOf, isStatus, messageOf } from '#web/lib/http/http-error.ts'
import { toastError } from '#web/ui/toast.ts'
import { toastUndo } from '#web/ui/undo-toast.ts'

/** Updates the cached `me` before the request. Returns a function that undoes it. */
async function updateMeCache(client: QueryClient, update: (me: Me) => Me): Promise<() => void> {
  await client.cancelQueries({ queryKey: meOptions.queryKey })
  const previous = client.getQueryData(meOptions.queryKey)
  client.setQueryData(meOptions.queryKey, (me) => me && update(me))
  return () => client.setQueryData(meOptions.queryKey, previous)
}

function invalidateManagers(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: meOptions.queryKey })
  void client.invalidateQueries({ queryKey: ['activity'] })
}

export function useGrantPermissions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Grant) => call('POST /api/users/management', { body }),
    onSuccess: (grant) => {
      client.setQueryData(meOptions.queryKey, (me) => me && { ...me, gived_managements: upsertGrant(me.gived_managements, grant) })
      invalidateManagers(client)
    },
  })
}

function upsertGrant(all: readonly GivenManagement[], grant: GivenManagement): GivenManagement[] {
  const exists = all.some(({ manager_id }) => manager_id === grant.manager_id)
  return exists ? all.map((each) => (each.manager_id === grant.manager_id ? grant : each)) : [...all, grant]
}

/** Succeeds if the grant no longer exists. */
function ignoreNotFound(request: Promise<unknown>): Promise<unknown> {
  return request.catch((error: unknown) => {
    if (!isStatus(error, 404)) throw error
  })
}

/** Optimistic: undone if it fails. */
export function useRevokeManager() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ manager_id }: GivenManagement) =>
      ignoreNotFound(call('DELETE /api/users/management', { body: { user_id: manager_id } })),
    onMutate: ({ id }) =>
      updateMeCache(client, (me) => ({ ...me, gived_managements: me.gived_managements.filter((each) => each.id !== id) })),
    onSuccess: (_, { manager, manager_id: user_id, permissions }) =>
      toastUndo(m.managers_removed({ user: manager.discord.username }), undefined, async () => {
        await call('POST /api/users/management', { body: { user_id, permissions: [...permissions] } })
        invalidateManagers(client)
      }),
    onError: (error, { manager }, undo) => {
      undo?.()
      toastError(m.managers_remove_failed({ user: manager.discord.username }), messageOf(error), detailsOf(error))
    },
    onSettled: () => invalidateManagers(client),
  })
}

export function useStopManaging(grantId: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => ignoreNotFound(call('DELETE /api/users/management/self/{id}', { params: { id: grantId } })),
    onMutate: () =>
      updateMeCache(client, (me) => ({ ...me, recieved_managements: me.recieved_managements.filter(({ id }) => id !== grantId) })),
    onError: (_error, _none, undo) => {
      undo?.()
      return client.invalidateQueries({ queryKey: meOptions.queryKey })
    },
  })
}

/** Removes an owner and their servers after the user stopped managing them. */
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
