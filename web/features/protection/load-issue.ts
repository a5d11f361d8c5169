/** Reading an issue before its page is entered. */
import type { QueryClient } from '@tanstack/react-query'
import { orNotFound } from '#web/lib/or-not-found.ts'
import { issueOptions } from './protection.api.ts'

/** Read anew each time: much of it happens without the panel. */
export async function loadIssue(client: QueryClient, userId: string, issueId: string): Promise<void> {
  await orNotFound(client.fetchQuery(issueOptions(userId, issueId)))
}
