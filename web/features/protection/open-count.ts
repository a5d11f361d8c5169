import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/call.ts'
import { PROTECTION } from './protection.api.ts'

const ASK_MS = 60_000
const MAX_SHOWN = 99

/** The number of open issues of everybody. Every act on an issue reads it anew. */
export const openCountOptions = queryOptions({
  queryKey: [PROTECTION, 'open-count'],
  queryFn: async ({ signal }) => {
    const { meta } = await call('GET /api/admin/protection-issues', { query: { status: ['OPEN'], per_page: '1' }, signal, whole: true })
    return meta.total
  },
  refetchInterval: ASK_MS,
})

export function cappedCount(count: number): string {
  return count > MAX_SHOWN ? `${MAX_SHOWN}+` : String(count)
}
