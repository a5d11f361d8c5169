/** What owners and administrators do about protection issues. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import type { IssueChanges, IssueDetail } from '#contract/protection.ts'
import { call } from '#web/lib/call.ts'
import { issueOptions, PROTECTION } from './protection.api.ts'

/** Shows the issue as an act left it; every list that has it is read anew. */
async function keepIssue(client: QueryClient, issue: IssueDetail): Promise<void> {
  const { queryKey } = issueOptions(issue.user_id, issue.id)
  await client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, issue)
  readDecidedAnew(client, ([noun, part]) => noun !== PROTECTION || part !== 'issue')
}

/** Reads anew all that shows issues and what they do to servers: the servers of the admin area and the audit log, too. */
export function readDecidedAnew(client: QueryClient, among: (key: readonly unknown[]) => boolean = () => true): void {
  void client.invalidateQueries({ predicate: ({ queryKey: key }) => (key[0] === PROTECTION || key[0] === 'admin') && among(key) })
}

/** What an administrator decides about an issue. Plain, for acts on many at once. */
export const changeIssue = (id: string, body: IssueChanges): Promise<IssueDetail> =>
  call('PATCH /api/admin/protection-issues/{id}', { params: { id }, body })

export function useChangeIssue(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: IssueChanges) => changeIssue(id, body),
    onSuccess: (issue) => keepIssue(client, issue),
  })
}

/** The owner says that he has seen it. */
export function useAcknowledge({ user_id: userId, id: issueId }: { user_id: string; id: string }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call('POST /api/users/{userId}/protection-issues/{issueId}/acknowledge', { params: { userId, issueId } }),
    onSuccess: (issue) => keepIssue(client, issue),
  })
}

/** The owner answers. */
export function useReply({ user_id: userId, id: issueId }: { user_id: string; id: string }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (message: string) =>
      call('POST /api/users/{userId}/protection-issues/{issueId}/reply', { params: { userId, issueId }, body: { message } }),
    onSuccess: (issue) => keepIssue(client, issue),
  })
}
