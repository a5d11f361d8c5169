import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { ManagedServer } from '#contract/servers.ts'
import { removeManagedServerFromCache, serverListOptions } from './servers.api.ts'

const managed = (user_id: string, public_id: string) => ({ user_id, public_id }) as ManagedServer

test('a server that one owner lost stays under the owner who has it now', () => {
  const client = new QueryClient()
  const list = { owned: [], incoming_transfers: [], outgoing_transfers: [] }
  const now = managed('new', 'city')
  const other = managed('former', 'other')
  client.setQueryData(serverListOptions.queryKey, { ...list, management: [managed('former', 'city'), now, other] })
  removeManagedServerFromCache(client, 'former', 'city')
  expect(client.getQueryData(serverListOptions.queryKey)?.management).toEqual([now, other])
})
