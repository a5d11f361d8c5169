/** The state of the installation, refetched while the page is open. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/http/call.ts'

/** A call that hangs would end the polling. */
const TIMEOUT_MS = 4000
const POLLING = { refetchInterval: 5000, refetchOnMount: 'always', retry: false } as const

const inTime = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])

export const statusOptions = queryOptions({
  queryKey: ['installation', 'status'],
  queryFn: ({ signal }) => call('GET /api/admin/status', { signal: inTime(signal) }),
  ...POLLING,
})

/** Why this node is not ready; null if it is. Answers at once, whatever the database does. */
export const readinessOptions = queryOptions({
  queryKey: ['installation', 'readiness'],
  queryFn: async ({ signal }) => {
    const reply = await fetch('/readyz', { signal: inTime(signal) })
    const reason = (await reply.text()).trim()
    return reply.ok ? null : reason
  },
  ...POLLING,
})
