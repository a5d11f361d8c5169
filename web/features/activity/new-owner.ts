import { queryOptions } from '@tanstack/react-query'
import type { ActivityEntry } from '#contract/events/activity.ts'
import type { PublicUser } from '#contract/users/users.ts'
import { call } from '#web/lib/http/call.ts'

/** Who accepted the server, if a transfer ended the user's ownership. Undefined if it was deleted. @param activity newest first. */
export function newOwnerIn(activity: readonly ActivityEntry[], publicId: string): PublicUser | undefined {
  const end = activity.find(
    ({ action, server }) => server?.public_id === publicId && (action === 'TRANSFER_ACCEPTED' || action === 'SERVER_DELETED'),
  )
  return end?.action === 'TRANSFER_ACCEPTED' ? (end.user ?? undefined) : undefined
}

/** Who accepted one of the user's servers. Undefined if the server was deleted. */
export const newOwnerOptions = (publicId: string) =>
  queryOptions({
    queryKey: ['activity', 'new owner', publicId],
    queryFn: ({ signal }) => call('GET /api/users/activity', { signal }),
    select: (activity) => newOwnerIn(activity, publicId),
  })
