/** Reading an issue before its page is entered. */
import type { QueryClient } from '@tanstack/react-query'
import { notFound } from '@tanstack/react-router'
import { isStatus } from '#web/lib/http-error.ts'
import { issueOptions } from './protection.api.ts'

/** What is not there, or somebody else's, is a page that is not there. Read anew each time: much of it happens without the panel. */
export async function loadIssue(client: QueryClient, userId: string, issueId: string): Promise<void> {
  try {
    await client.fetchQuery(issueOptions(userId, issueId))
  } catch (error) {
    if (isStatus(error, 404)) throw notFound()
    throw error
  }
}
