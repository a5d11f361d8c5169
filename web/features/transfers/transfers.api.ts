/** Handing servers over. Open offers are a part of the list of servers. */
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { SETTINGS_KEYS, type SettingsKey } from '#contract/benefits.ts'
import type { ServerTransfer } from '#contract/transfers.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { call } from '#web/lib/call.ts'
import { detailsOf, messageOf } from '#web/lib/http-error.ts'
import { dismissToast, toastError } from '#web/ui/toast.ts'

function invalidateTransfers(client: QueryClient): Promise<unknown> {
  void client.invalidateQueries({ queryKey: ['activity'] })
  return client.invalidateQueries({ queryKey: serverListOptions.queryKey })
}

/** Which benefits' settings the owner has made for a server; undefined where that can't be read. */
export function useSettingsUsedBy(publicId: string): SettingsKey[] | undefined {
  const { data, isPending } = useQuery({
    queryKey: ['benefits', 'overview'],
    queryFn: ({ signal }) => call('GET /api/users/benefits', { signal }),
    select: (all) => all.filter((benefit) => benefit.used_by.some(({ public_id }) => public_id === publicId)).map(({ key }) => key),
  })
  return isPending ? [] : data && SETTINGS_KEYS.filter((key) => data.includes(key))
}

export function useCreateTransfer() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ token_id, user_id }: { token_id: string; user_id: string }) =>
      call('POST /api/users/tokens/transfers/create', { body: { token_id, user_id } }),
    onSuccess: (transfer) => {
      client.setQueryData(
        serverListOptions.queryKey,
        (list) => list && { ...list, outgoing_transfers: [transfer, ...list.outgoing_transfers.filter(({ id }) => id !== transfer.id)] },
      )
      void invalidateTransfers(client)
    },
  })
}

/** Takes the server over. Done once the list is read again. */
export function useAcceptTransfer() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: ServerTransfer) => call('POST /api/users/tokens/transfers/{id}/accept', { params: { id } }),
    onSuccess: (_reply, { id }) => dismissToast(id),
    // Also after a rejection: what stands in the way is read again.
    onSettled: () => invalidateTransfers(client),
  })
}

/** The sender takes the offer back, or the recipient declines. The offer is gone at once, and comes back where that fails. */
export function useCancelTransfer(failed: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: ServerTransfer) => call('POST /api/users/tokens/transfers/{id}/cancel', { params: { id } }),
    onMutate: async ({ id: ended }) => {
      dismissToast(ended)
      await client.cancelQueries({ queryKey: serverListOptions.queryKey })
      const before = client.getQueryData(serverListOptions.queryKey)
      const others = (all: readonly ServerTransfer[]) => all.filter(({ id }) => id !== ended)
      client.setQueryData(
        serverListOptions.queryKey,
        (list) =>
          list && { ...list, incoming_transfers: others(list.incoming_transfers), outgoing_transfers: others(list.outgoing_transfers) },
      )
      return () => client.setQueryData(serverListOptions.queryKey, before)
    },
    onError: (error, _transfer, undo) => {
      undo?.()
      toastError(failed, messageOf(error), detailsOf(error))
    },
    onSettled: () => invalidateTransfers(client),
  })
}
