/** Reading the last day of all servers at once. */
import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/call.ts'

/** Half hours, some pixels wide: asked for anew each five minutes at most, also by who comes back to the page or the window. */
const FRESH_MS = 300_000

/** Under the noun of all history: no event and no act changes what was. */
export const dayHistoryOptions = queryOptions({
  queryKey: ['history', 'day'],
  queryFn: ({ signal }) => call('GET /api/users/tokens/dayHistory', { signal }),
  staleTime: FRESH_MS,
  refetchInterval: FRESH_MS,
  refetchOnMount: true,
})
