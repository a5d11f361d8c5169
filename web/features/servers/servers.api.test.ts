import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { ManagedServer } from '#contract/servers/servers.ts'
import { removeManagedServerFromCache, serverListOptions } from './servers.api.ts'

const managed = (user_id: string, public_id: string) => ({ user_id, public_id }) as ManagedServer

test('removing a server of one owner keeps it under its new owner', () => {
  const client = new QueryClient()
  const list = { owned: [], incoming_transfers: [], outgoing_transfers: [], pinned: [] }
  const transferred = managed('new', 'city')
  const other = managed('former', 'other')
  client.setQueryData(serverListOptions.queryKey, { ...list, management: [managed('former', 'city'), transferred, other] })
  removeManagedServerFromCache(client, 'former', 'city')
  expect(client.getQueryData(serverListOptions.queryKey)?.management).toEqual([transferred, other])
})
