/** The inbox: pages of notifications, newest first. Pinned ones come first. */
import {
  type InfiniteData,
  infiniteQueryOptions,
  mutationOptions,
  type QueryClient,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query'
import type { Notification, NotificationList, NOTIFICATIONS_PAGE } from '#contract/webhooks/notifications.ts'
import { m } from '#messages'
import { call, detailsOf, messageOf } from '#web/lib/http/call.ts'
import { serverTime } from '#web/lib/server-clock.ts'
import { toastError, toastSuccess } from '#web/ui/toast.ts'

const NOTIFICATIONS = 'notifications'

/** The contract's number, without importing the contract's code. */
export const PAGE_SIZE: typeof NOTIFICATIONS_PAGE = 30

type Pages = InfiniteData<NotificationList, string | undefined>

/** All notifications, or only the unread ones. */
export const inboxOptions = (onlyUnread = false) =>
  infiniteQueryOptions({
    queryKey: [NOTIFICATIONS, onlyUnread ? 'unread' : 'all'],
    queryFn: ({ pageParam: before, signal }) =>
      call('GET /api/users/notifications', { query: { before, ...(onlyUnread && { unread: 'true' }) }, signal, fullBody: true }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ data, has_more }) => (has_more ? data.at(-1)?.id : undefined),
    select: ({ pages }) => ({ notifications: pages.flatMap(({ data }) => data), unread: pages[0]?.unread ?? 0 }),
  })

type Read = { readonly ids: string[] } | { readonly all: true }

/** A change shows at once. */
const markReadOptions = (client: QueryClient) =>
  mutationOptions({
    mutationFn: (body: Read) => call('POST /api/users/notifications/read', { body }),
    onMutate: (read) => {
      client.setQueriesData<Pages>({ queryKey: [NOTIFICATIONS] }, (pages) => pages && markedRead(pages, read))
    },
    onError: (error) => {
      toastError(m.inbox_mark_failed(), messageOf(error), detailsOf(error))
      void client.invalidateQueries({ queryKey: [NOTIFICATIONS] })
    },
  })

function markedRead({ pages, pageParams }: Pages, read: Read): Pages {
  const at = new Date(serverTime(Date.now())).toISOString()
  const isRead = ({ id, read_at }: Notification) => read_at === null && ('all' in read || read.ids.includes(id))
  const count = 'all' in read ? Infinity : pages.flatMap(({ data }) => data).filter(isRead).length
  return {
    pageParams,
    pages: pages.map((page) => ({
      ...page,
      unread: Math.max(0, page.unread - count),
      data: page.data.map((each) => (isRead(each) ? { ...each, read_at: at } : each)),
    })),
  }
}

export type ReadNotifications = (notifications: readonly Notification[]) => void

/** Marks the unread ones of these notifications as read. */
export function useMarkRead(): ReadNotifications {
  const { mutate } = useMutation(markReadOptions(useQueryClient()))
  return (notifications) => {
    const ids = notifications.filter(({ read_at }) => read_at === null).map(({ id }) => id)
    if (ids.length > 0) mutate({ ids })
  }
}

/** A failure shows a toast. */
export async function markAllRead(client: QueryClient): Promise<void> {
  const mutation = client.getMutationCache().build(client, markReadOptions(client))
  await mutation.execute({ all: true }).then(
    () => toastSuccess(m.inbox_mark_all_done()),
    () => {},
  )
}
