import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Group } from '#contract/servers/groups.ts'
import { call, isStatus } from '#web/lib/http/call.ts'

export const groupsOptions = queryOptions({
  queryKey: ['benefits', 'groups'],
  queryFn: ({ signal }) => call('GET /api/users/groups', { signal }),
})

/** The groups, and the servers in them, are read again. Also after a rejection: they may have changed in another window. */
function useGroupMutation<O, I>(mutationFn: (input: I) => Promise<O>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSettled: () =>
      Promise.all([groupsOptions.queryKey, ['servers'], ['server']].map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
}

export const useCreateGroup = () => useGroupMutation((name: string) => call('POST /api/users/groups', { body: { name } }))

export const useRenameGroup = (id: string) =>
  useGroupMutation(({ name, ifMatch }: { name: string; ifMatch: number | undefined }) =>
    call('PATCH /api/users/groups/{id}', { params: { id }, body: { name }, ifMatch }),
  )

/** Succeeds if the group is already deleted. */
export const useDeleteGroup = () =>
  useGroupMutation(({ id }: Group) =>
    call('DELETE /api/users/groups/{id}', { params: { id } }).catch((error: unknown) => {
      if (!isStatus(error, 404)) throw error
    }),
  )
