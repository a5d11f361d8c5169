/** Reading protection issues. What is done about them is no part of the first page (`acts.ts`). */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { call } from '#web/lib/call.ts'
import { orNotFound } from '#web/lib/or-not-found.ts'

/** The part of the cache that an event `protection` reads anew. */
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

/** Reads an issue before its page is entered, each time: much of it happens without the panel. */
export async function loadIssue(client: QueryClient, userId: string, issueId: string): Promise<void> {
  await orNotFound(client.fetchQuery(issueOptions(userId, issueId)))
}
