import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Group } from '#contract/servers/groups.ts'
import { currentOf } from '#web/lib/current-of.ts'
import { call } from '#web/lib/http/call.ts'
import { isStatus } from '#web/lib/http/http-error.ts'

export const groupsOptions = queryOptions({
  queryKey: ['benefits', 'groups'],
  queryFn: ({ signal }) => call('GET /api/users/groups', { signal }),
})

function setGroups(client: QueryClient, change: (groups: readonly Group[]) => Group[]): void {
  client.setQueryData(groupsOptions.queryKey, (groups) => groups && change(groups))
}

function replaceGroup(client: QueryClient, next: Group): void {
  setGroups(client, (groups) => groups.map((group) => (group.id === next.id ? next : group)))
}

function invalidateServers(client: QueryClient): void {
  for (const queryKey of [['servers'], ['server']]) void client.invalidateQueries({ queryKey })
}

export function useCreateGroup() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (name: string) => call('POST /api/users/groups', { body: { name } }),
    onSuccess: (created) => setGroups(client, (groups) => [...groups.filter(({ id }) => id !== created.id), created]),
    onError: (error) => refreshAfterRejection(client, error),
  })
}

export function useRenameGroup(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ name, ifMatch }: { name: string; ifMatch: number | undefined }) =>
      call('PATCH /api/users/groups/{id}', { params: { id }, body: { name }, ifMatch }),
    onSuccess: (renamed) => {
      replaceGroup(client, renamed)
      invalidateServers(client)
    },
    onError: (error) => {
      const current = currentOf(error) as Group | undefined
      if (current === undefined) refreshAfterRejection(client, error)
      else replaceGroup(client, current)
    },
  })
}

/** Succeeds if the group is already deleted. */
export function useDeleteGroup() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: Group) =>
      call('DELETE /api/users/groups/{id}', { params: { id } }).catch((error: unknown) => {
        if (!isStatus(error, 404)) throw error
      }),
    onSuccess: (_, { id }) => {
      setGroups(client, (groups) => groups.filter((group) => group.id !== id))
      invalidateServers(client)
    },
  })
}

/** After a rejection: the groups may have changed in another window. */
function refreshAfterRejection(client: QueryClient, error: Error): void {
  if (isStatus(error, 403) || isStatus(error, 404)) void client.invalidateQueries({ queryKey: groupsOptions.queryKey })
}
