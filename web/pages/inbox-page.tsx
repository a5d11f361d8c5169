import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { CheckCheck, Settings } from 'lucide-react'
import { m } from '#messages'
import { Inbox } from '#web/features/notifications/inbox.tsx'
import { inboxOptions, markAllRead } from '#web/features/notifications/notifications.api.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { counted } from '#web/ui/count-text.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Tabs } from '#web/ui/tabs.tsx'

export function InboxPage() {
  const { unread: onlyUnread = false, item } = useSearch({ from: '/member/inbox' })
  const navigate = useNavigate()
  const client = useQueryClient()
  const count = useInfiniteQuery(inboxOptions()).data?.unread ?? 0
  useTitle(m.nav_inbox())
  return (
    <div className="max-w-[840px]">
      <PageHeader
        title={m.nav_inbox()}
        action={
          <>
            {/* Stays focusable, and keeps its room. */}
            <button
              type="button"
              aria-disabled={count === 0 || undefined}
              onClick={() => count > 0 && void markAllRead(client)}
              className={buttonClass('secondary', count === 0 ? 'cursor-not-allowed opacity-60' : undefined)}
            >
              <CheckCheck size={16} aria-hidden="true" />
              {m.inbox_mark_all()}
            </button>
            <Link
              to="/settings/notifications"
              aria-label={m.inbox_settings()}
              data-tip={m.inbox_settings()}
              className={buttonClass('secondary', 'px-2.5')}
            >
              <Settings size={16} aria-hidden="true" />
            </Link>
          </>
        }
      />
      <Tabs
        label={m.inbox_filter()}
        tabs={[
          { key: 'all', label: m.inbox_all() },
          { key: 'unread', label: <UnreadLabel count={count} /> },
        ]}
        current={onlyUnread ? 'unread' : 'all'}
        onSelect={(key) => void navigate({ to: '/inbox', search: key === 'unread' ? { unread: true } : {}, replace: true })}
      >
        <Inbox key={String(onlyUnread)} onlyUnread={onlyUnread} item={item} />
      </Tabs>
    </div>
  )
}

function UnreadLabel({ count }: { count: number }) {
  return (
    <>
      {m.inbox_unread()}
      {count > 0 && <span className="ml-1.5 text-13 text-ink-3 tabular-nums">{counted(count).shown}</span>}
    </>
  )
}
