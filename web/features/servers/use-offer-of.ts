import { useQuery } from '@tanstack/react-query'
import type { ServerTransfer } from '#contract/transfers.ts'
import { serverListOptions } from './servers.api.ts'

/** The open offer of one of one's own servers. */
export function useOfferOf(publicId: string): ServerTransfer | undefined {
  const { data: list } = useQuery(serverListOptions)
  return list?.outgoing_transfers.find(({ token }) => token.public_id === publicId)
}
