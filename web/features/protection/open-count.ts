import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/http/call.ts'
import { PROTECTION } from './protection.api.ts'

const POLL_MS = 60_000
const MAX_SHOWN = 99

/** How many issues of all users are open. */
export const openCountOptions = queryOptions({
  queryKey: [PROTECTION, 'open-count'],
  queryFn: async ({ signal }) => {
    const { meta } = await call('GET /api/admin/protection-issues', { query: { status: ['OPEN'], per_page: '1' }, signal, fullBody: true })
    return meta.total
  },
  refetchInterval: POLL_MS,
})

export function cappedCount(count: number): string {
  return count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count)
}
