import { queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/call.ts'

export const adminBenefitsOptions = (id: string) =>
  queryOptions({
    queryKey: ['benefits', 'admin', id, 'overview'],
    queryFn: ({ signal }) => call('GET /api/admin/users/{id}/benefits', { params: { id }, signal }),
  })
