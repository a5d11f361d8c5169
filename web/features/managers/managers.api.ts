/** Mutations of manager grants. All grants are part of `me`. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Grant } from '#contract/servers/managers.ts'
import type { GivenManagement } from '#contract/users/users.ts'
import { m } from '#messages'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { call, detailsOf, isStatus, messageOf } from '#web/lib/http/call.ts'
import { toastError, toastUndo } from '#web/ui/toast.ts'

function invalidateManagers(client: QueryClient): Promise<void> {
  void client.invalidateQueries({ queryKey: ['activity'] })
  return client.invalidateQueries({ queryKey: meOptions.queryKey })
}

export function useGrantPermissions() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Grant) => call('POST /api/users/management', { body }),
    onSuccess: () => invalidateManagers(client),
  })
}

/** Succeeds if the grant no longer exists. */
const ignoreNotFound = (error: unknown) => {
  if (!isStatus(error, 404)) throw error
}

/** Optimistic: undone if it fails. */
export function useRevokeManager() {
  const client = useQueryClient()
  const { queryKey } = meOptions
  return useMutation({
    mutationFn: ({ manager_id }: GivenManagement) =>
      call('DELETE /api/users/management', { body: { user_id: manager_id } }).catch(ignoreNotFound),
    onMutate: async ({ id }) => {
      await client.cancelQueries({ queryKey })
      const previous = client.getQueryData(queryKey)
      client.setQueryData(queryKey, (me) => me && { ...me, gived_managements: me.gived_managements.filter((each) => each.id !== id) })
      return previous
    },
    onSuccess: (_, { manager, manager_id: user_id, permissions }) =>
      toastUndo(m.managers_removed({ user: manager.discord.username }), undefined, async () => {
        await call('POST /api/users/management', { body: { user_id, permissions: [...permissions] } })
        await invalidateManagers(client)
      }),
    onError: (error, { manager }, previous) => {
      client.setQueryData(queryKey, previous)
      toastError(m.managers_remove_failed({ user: manager.discord.username }), messageOf(error), detailsOf(error))
    },
    onSettled: () => invalidateManagers(client),
  })
}

export function useStopManaging(grantId: string) {
  return useMutation({
    mutationFn: () => call('DELETE /api/users/management/self/{id}', { params: { id: grantId } }).catch(ignoreNotFound),
  })
}

/** After the user stopped managing the servers of an owner, and has left their pages. */
export function forgetOwner(client: QueryClient, ownerId: string): void {
  client.removeQueries({ queryKey: ['managed', ownerId] })
  for (const { queryKey } of [meOptions, serverListOptions]) void client.invalidateQueries({ queryKey })
}
