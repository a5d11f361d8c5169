import type { ActivityEntry } from '#contract/activity.ts'
import type { PublicUser } from '#contract/users.ts'

/** Who accepted the server, if a transfer ended the user's ownership. Undefined if it was deleted. @param activity newest first. */
export function newOwnerIn(activity: readonly ActivityEntry[], publicId: string): PublicUser | undefined {
  const end = activity.find(
    ({ action, server }) => server?.public_id === publicId && (action === 'TRANSFER_ACCEPTED' || action === 'SERVER_DELETED'),
  )
  return end?.action === 'TRANSFER_ACCEPTED' ? (end.user ?? undefined) : undefined
}
