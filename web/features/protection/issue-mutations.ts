import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { IssueChanges, IssueDetail } from '#contract/protection.ts'
import { call } from '#web/lib/call.ts'
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

/** Invalidates what shows issues or their effects, including the servers and the audit log of the admin area. */
export function invalidateIssues(client: QueryClient, filter: (key: readonly unknown[]) => boolean = () => true): void {
  void client.invalidateQueries({ predicate: ({ queryKey: key }) => (key[0] === PROTECTION || key[0] === 'admin') && filter(key) })
}
