/** The administrators' list of servers, as its tests read it. */
import { expect, vi } from 'vitest'
import type { AdminServer } from '#contract/servers/servers-admin.ts'
import type { PageMeta } from '#contract/api/paging.ts'
import type { TestApp, TestUser } from './harness.ts'

interface Reply {
  readonly status: number
  readonly text: string
  readonly data: AdminServer[]
  readonly meta: PageMeta
  readonly ids: string[]
  readonly errors: string[]
}

/** The query string as a URL has it. */
export async function adminServersOf(user: TestUser, query: Record<string, string | number> | string): Promise<Reply> {
  const search =
    typeof query === 'string' ? query : new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString()
  const response = await user.fetch(`/api/admin/tokens?${search}`)
  const text = await response.text()
  const { data = [], meta, errors } = JSON.parse(text) as { data?: AdminServer[]; meta: PageMeta; errors: string[] }
  return { status: response.status, text, data, meta, errors, ids: data.map((server) => server.public_id) }
}

/** Waits until the master list has saved the announces. */
export async function waitUntilSaved(app: TestApp, publicId: string, isOnline = true): Promise<void> {
  await vi.waitFor(
    async () => {
      const row = await app.db.selectFrom('presence').select('online').where('server_id', '=', publicId).executeTakeFirst()
      expect(row?.online).toBe(isOnline)
    },
    { timeout: 10_000, interval: 50 },
  )
}
