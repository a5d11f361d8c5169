/** Queries of protection issues. The first page includes this file, but not the mutations (`issue-mutations.ts`). */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/call.ts'
import { orNotFound } from '#web/lib/or-not-found.ts'

/** The first part of the query keys that a `protection` event invalidates. */
export const PROTECTION = 'protection'

export const issuesOfUserOptions = (userId: string) =>
  queryOptions({
    queryKey: [PROTECTION, 'of', userId],
    queryFn: ({ signal }) => call('GET /api/users/{userId}/protection-issues', { params: { userId }, signal }),
  })

export const issueOptions = (userId: string, issueId: string) =>
  queryOptions({
    queryKey: [PROTECTION, 'issue', userId, issueId],
    queryFn: ({ signal }) => call('GET /api/users/{userId}/protection-issues/{issueId}', { params: { userId, issueId }, signal }),
  })

/** For route loaders. Always fetches, because most changes come from outside the panel. */
export async function loadIssue(client: QueryClient, userId: string, issueId: string): Promise<void> {
  await orNotFound(client.fetchQuery(issueOptions(userId, issueId)))
}
