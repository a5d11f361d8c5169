import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { IssueChanges, IssueDetail, ProtectionIssue } from '#contract/protection/protection.ts'
import { call } from '#web/lib/http/call.ts'
import type { BanInput } from '#web/ui/dialog/ban-form.tsx'
import { issueOptions, PROTECTION } from './protection.api.ts'

export const updateIssue = (id: string, body: IssueChanges): Promise<IssueDetail> =>
  call('PATCH /api/admin/protection-issues/{id}', { params: { id }, body })

/** Caches the returned issue and invalidates the lists that contain it. */
export function useIssueMutation<T = void>(mutate: (input: T) => Promise<IssueDetail>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: mutate,
    onSuccess: async (issue) => {
      const { queryKey } = issueOptions(issue.user_id, issue.id)
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, issue)
      invalidateIssues(client, ([area, part]) => area !== PROTECTION || part !== 'issue')
    },
  })
}

/** A ban upholds the reports in its own transaction. Without one, the owner reads the reason as a reply. */
export function useUpholdReports({ id, user_id: userId, server }: ProtectionIssue) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ bans, reason, banned_until }: BanInput & { bans: boolean }) => {
      if (bans && server !== null)
        await call('PATCH /api/admin/tokens/{id}/ban', { params: { id: server.public_id }, body: { reason, banned_until } })
      else await updateIssue(id, { status: 'RESOLVED', ...(reason !== '' && { reply: reason }) })
    },
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: issueOptions(userId, id).queryKey })
      invalidateIssues(client)
    },
  })
}

/** Invalidates what shows issues or their effects, including the servers and the audit log of the admin area. */
export function invalidateIssues(client: QueryClient, filter: (key: readonly unknown[]) => boolean = () => true): void {
  void client.invalidateQueries({ predicate: ({ queryKey: key }) => (key[0] === PROTECTION || key[0] === 'admin') && filter(key) })
}
