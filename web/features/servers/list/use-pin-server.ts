import { useMutation, useQueryClient } from '@tanstack/react-query'
import { m } from '#messages'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { call } from '#web/lib/http/call.ts'
import { messageOf } from '#web/lib/http/http-error.ts'
import { toastError } from '#web/ui/toast.ts'

interface Pin {
  readonly id: string
  readonly isPinned: boolean
}

/** Shows the change at once, and undoes it if the backend rejects it. */
export function usePinServer() {
  const client = useQueryClient()
  const { queryKey } = serverListOptions
  const show = ({ id, isPinned }: Pin) =>
    client.setQueryData(queryKey, (list) => {
      if (!list) return undefined
      const others = list.pinned.filter((each) => each !== id)
      return { ...list, pinned: isPinned ? [id, ...others] : others }
    })
  return useMutation({
    mutationFn: ({ id, isPinned }: Pin) =>
      isPinned ? call('PUT /api/users/tokens/{id}/pin', { params: { id } }) : call('DELETE /api/users/tokens/{id}/pin', { params: { id } }),
    onMutate: show,
    onError: (error, { id, isPinned }) => {
      show({ id, isPinned: !isPinned })
      toastError(isPinned ? m.servers_row_pin_failed() : m.servers_row_unpin_failed(), messageOf(error))
    },
    // A list that was requested before the change shows the old pins.
    onSettled: () => client.invalidateQueries({ queryKey }),
  })
}
