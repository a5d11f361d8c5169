/** Mutations of server transfers. Open transfers are part of the server list. */
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { SETTINGS_KEYS, type SettingsKey } from '#contract/benefits/benefits.ts'
import type { NewTransfer, ServerTransfer } from '#contract/servers/transfers.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { call } from '#web/lib/http/call.ts'
import { detailsOf, messageOf } from '#web/lib/http/http-error.ts'
import { dismissToast, toastError } from '#web/ui/toast.ts'

function invalidateTransfers(client: QueryClient): Promise<unknown> {
  void client.invalidateQueries({ queryKey: ['activity'] })
  return client.invalidateQueries({ queryKey: serverListOptions.queryKey })
}

/** The benefits with settings for this server. Empty while loading, undefined if loading failed. */
export function useSettingsFor(publicId: string): SettingsKey[] | undefined {
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
    mutationFn: (body: NewTransfer) => call('POST /api/users/tokens/transfers/create', { body }),
    onSuccess: (transfer) => {
      client.setQueryData(
        serverListOptions.queryKey,
        (list) => list && { ...list, outgoing_transfers: [transfer, ...list.outgoing_transfers.filter(({ id }) => id !== transfer.id)] },
      )
      void invalidateTransfers(client)
    },
  })
}

/** Resolves once the server list is refetched. */
export function useAcceptTransfer() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: ServerTransfer) => call('POST /api/users/tokens/transfers/{id}/accept', { params: { id } }),
    onSuccess: (_reply, { token }) => dismissToast(token.public_id),
    // A rejection can mean that the obstacles changed.
    onSettled: () => invalidateTransfers(client),
  })
}

/** For the sender to cancel or the recipient to decline. Removes the transfer at once, and restores it on failure. */
export function useCancelTransfer(errorTitle: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: ServerTransfer) => call('POST /api/users/tokens/transfers/{id}/cancel', { params: { id } }),
    onMutate: async ({ id: cancelledId, token }) => {
      dismissToast(token.public_id)
      await client.cancelQueries({ queryKey: serverListOptions.queryKey })
      const previous = client.getQueryData(serverListOptions.queryKey)
      const remaining = (all: readonly ServerTransfer[]) => all.filter(({ id }) => id !== cancelledId)
      client.setQueryData(
        serverListOptions.queryKey,
        (list) =>
          list && {
            ...list,
            incoming_transfers: remaining(list.incoming_transfers),
            outgoing_transfers: remaining(list.outgoing_transfers),
          },
      )
      return () => client.setQueryData(serverListOptions.queryKey, previous)
    },
    onError: (error, _transfer, undo) => {
      undo?.()
      toastError(errorTitle, messageOf(error), detailsOf(error))
    },
    onSettled: () => invalidateTransfers(client),
  })
}
