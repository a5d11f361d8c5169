import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { IssueChanges, IssueDetail, ProtectionIssue } from '#contract/protection/protection.ts'
import { call } from '#web/lib/http/call.ts'
import type { BanInput } from '#web/ui/dialog/ban-form.tsx'
import { PROTECTION } from './protection.api.ts'

export const updateIssue = (id: string, body: IssueChanges): Promise<IssueDetail> =>
  call('PATCH /api/admin/protection-issues/{id}', { params: { id }, body })

export function useIssueMutation<T = void>(mutationFn: (input: T) => Promise<unknown>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSuccess: () => invalidateIssues(client) })
}

/** A ban upholds the reports in its own transaction. Without one, the owner reads the reason as a reply. */
export const useUpholdReports = ({ id, server }: ProtectionIssue) =>
  useIssueMutation(({ bans, reason, banned_until }: BanInput & { bans: boolean }) =>
    bans && server !== null
      ? call('PATCH /api/admin/tokens/{id}/ban', { params: { id: server.public_id }, body: { reason, banned_until } })
      : updateIssue(id, { status: 'RESOLVED', ...(reason !== '' && { reply: reason }) }),
  )

/** Invalidates what shows issues or their effects, including the servers and the audit log of the admin area. */
export const invalidateIssues = (client: QueryClient): Promise<void> =>
  client.invalidateQueries({ predicate: ({ queryKey: [area] }) => area === PROTECTION || area === 'admin' })
