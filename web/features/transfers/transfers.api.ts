/** Mutations of server transfers. Open transfers are part of the server list. */
import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { SETTINGS_KEYS, type SettingsKey } from '#contract/benefits/benefits.ts'
import type { NewTransfer, ServerTransfer } from '#contract/servers/transfers.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { call } from '#web/lib/http/call.ts'
import { dismissToast } from '#web/ui/toast.ts'

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
    onSuccess: () => invalidateTransfers(client),
  })
}

/** For the recipient to accept, the sender to cancel, or the recipient to decline. A rejection can mean that the obstacles changed. */
function useEndTransfer(end: (id: string) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ id }: ServerTransfer) => end(id),
    onSuccess: (_reply, { token }) => dismissToast(token.public_id),
    onSettled: () => invalidateTransfers(client),
  })
}

export const useAcceptTransfer = () => useEndTransfer((id) => call('POST /api/users/tokens/transfers/{id}/accept', { params: { id } }))

export const useCancelTransfer = () => useEndTransfer((id) => call('POST /api/users/tokens/transfers/{id}/cancel', { params: { id } }))
