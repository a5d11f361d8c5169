import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/http/call.ts'

export const apiKeysOptions = queryOptions({
  queryKey: ['api_keys'],
  queryFn: ({ signal }) => call('GET /api/users/api-keys', { signal }),
})
