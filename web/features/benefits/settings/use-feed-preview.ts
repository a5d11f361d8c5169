import { useMutation } from '@tanstack/react-query'
import { call } from '#web/lib/call.ts'

/** A look at a news feed, as the launcher will show it. */
export function useFeedPreview() {
  return useMutation({ mutationFn: (url: string) => call('POST /api/users/benefits/feed-preview', { body: { url } }) })
}
