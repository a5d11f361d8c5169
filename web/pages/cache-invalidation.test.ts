/** The areas of servers and of what is found about them tell each other. */
import { QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import type { AdminServer } from '#contract/servers-admin.ts'
import { removeAdminServerFromCache, setAdminServerCache } from '#web/features/servers/admin/admin-server.api.ts'
import { adminServerOptions } from '#web/features/servers/servers.api.ts'
import { invalidateIssues } from '#web/features/protection/issue-mutations.ts'

/** One query of each part, as if shown before. */
function filled() {
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

test('a decision about an issue is seen at the servers and in the audit log', () => {
  const { client, stale } = filled()
  invalidateIssues(client)
  expect(stale()).toEqual(['admin server', 'admin servers', 'admin audit', 'protection queue', 'protection issue'])
})

test('what is done to a server, which may end what was found about it, is seen at the issues', async () => {
  const { client, stale } = filled()
  await setAdminServerCache(client, server)
  expect(stale()).toEqual(['admin servers', 'admin audit', 'protection queue', 'protection issue'])
})

test('a server that is deleted is looked for nowhere any more', () => {
  const { client, stale } = filled()
  removeAdminServerFromCache(client, server)
  expect(client.getQueryState(adminServerOptions(server.public_id).queryKey)).toBeUndefined()
  expect(stale()).toEqual(['admin servers', 'admin audit', 'protection queue', 'protection issue'])
})
