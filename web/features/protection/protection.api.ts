/** Queries of protection issues. The mutations are in `moderation.ts`. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import type { ProtectionIssue } from '#contract/protection/protection.ts'
import { call } from '#web/lib/http/call.ts'
import { orNotFound } from '#web/lib/http/or-not-found.ts'

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

export type ReportedIssue = Pick<ProtectionIssue, 'id' | 'kind' | 'status'>

export const hasReports = ({ kind }: Pick<ReportedIssue, 'kind'>): boolean => kind === 'PLAYER_REPORTS' || kind === 'REPORT_ABUSE'

/** A decision changes the reports, so the status is part of the key. */
export const reportsOptions = ({ id, status }: ReportedIssue) =>
  queryOptions({
    queryKey: [PROTECTION, 'reports', id, status],
    queryFn: ({ signal }) => call('GET /api/admin/protection-issues/{id}/reports', { params: { id }, signal }),
  })

/** For route loaders. Always fetches, because most changes come from outside the panel. */
export async function loadIssue(client: QueryClient, userId: string, issueId: string): Promise<ProtectionIssue> {
  return await orNotFound(client.fetchQuery(issueOptions(userId, issueId)))
}

/** With its reports, which are above other cards. Loaded later, they would shift the page. */
export async function loadAdminIssue(client: QueryClient, userId: string, issueId: string): Promise<void> {
  const issue = await loadIssue(client, userId, issueId)
  if (hasReports(issue)) await client.fetchQuery(reportsOptions(issue)).catch(() => {})
}
