/** Changes to servers invalidate issues, and vice versa. */
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { AdminServer } from '#contract/servers/servers-admin.ts'
import { invalidateIssues } from '#web/features/protection/moderation.ts'
import { removeAdminServerFromCache, setAdminServerCache } from '#web/features/servers/server-mutations.ts'
import { adminServerOptions } from '#web/features/servers/servers.api.ts'

/** A cache with one query of each kind. */
function filledCache() {
  const client = new QueryClient()
  const keys = [
    ['admin', 'server', 'aB3dE6g'],
    ['admin', 'servers', {}],
    ['admin', 'audit', 'page', {}],
    ['protection', 'queue', {}],
    ['protection', 'issue', 'u', 'i'],
    ['downloads'],
  ]
  for (const key of keys) client.setQueryData(key, {})
  const stale = () => keys.filter((key) => client.getQueryState(key)?.isInvalidated).map((key) => `${key[0] as string} ${key[1] as string}`)
  return { client, stale }
}

const server = { public_id: 'aB3dE6g', user_id: 'u' } as AdminServer

test('moderating an issue invalidates the servers and the audit log', async () => {
  const { client, stale } = filledCache()
  await invalidateIssues(client)
  expect(stale()).toEqual(['admin server', 'admin servers', 'admin audit', 'protection queue', 'protection issue'])
})

test('changing a server invalidates its issues', async () => {
  const { client, stale } = filledCache()
  await setAdminServerCache(client, server)
  expect(stale()).toEqual(['admin servers', 'admin audit', 'protection queue', 'protection issue'])
})

test('deleting a server removes it from the cache and invalidates the lists', () => {
  const { client, stale } = filledCache()
  removeAdminServerFromCache(client, server)
  expect(client.getQueryState(adminServerOptions(server.public_id).queryKey)).toBeUndefined()
  expect(stale()).toEqual(['admin servers', 'admin audit', 'protection queue', 'protection issue'])
})
