import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { IssueChanges, IssueDetail } from '#contract/protection.ts'
import { call } from '#web/lib/call.ts'
import { issueOptions, PROTECTION } from './protection.api.ts'

export const updateIssue = (id: string, body: IssueChanges): Promise<IssueDetail> =>
  call('PATCH /api/admin/protection-issues/{id}', { params: { id }, body })

/** An act on an issue: shows it as the act left it, and reads every list that has it again. */
export function useIssueMutation<T = void>(act: (input: T) => Promise<IssueDetail>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: act,
    onSuccess: async (issue) => {
      const { queryKey } = issueOptions(issue.user_id, issue.id)
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, issue)
      invalidateIssues(client, ([noun, part]) => noun !== PROTECTION || part !== 'issue')
    },
  })
}

/** Reads again all that shows issues and what they do to servers: the servers of the admin area and the audit log, too. */
export function invalidateIssues(client: QueryClient, among: (key: readonly unknown[]) => boolean = () => true): void {
  void client.invalidateQueries({ predicate: ({ queryKey: key }) => (key[0] === PROTECTION || key[0] === 'admin') && among(key) })
}
