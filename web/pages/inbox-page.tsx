import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { CheckCheck, Settings } from 'lucide-react'
import { m } from '#messages'
import { Inbox } from '#web/features/notifications/inbox.tsx'
import { inboxOptions, markAllRead } from '#web/features/notifications/notifications.api.ts'
import { useTitle } from '#web/lib/use-title.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { counted } from '#web/ui/count-text.ts'
import { PageHeader } from '#web/ui/page-header.tsx'
import { Tabs } from '#web/ui/tabs.tsx'

const TABS = [
  { key: 'all', label: m.inbox_all() },
  { key: 'unread', label: m.inbox_unread() },
] as const

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
        beside={count > 0 && <span className="text-13 text-ink-3 tabular-nums">{m.inbox_unread_count(counted(count))}</span>}
        action={
          <>
            <Button icon={<CheckCheck size={16} aria-hidden="true" />} onClick={() => void markAllRead(client)}>
              {m.inbox_mark_all()}
            </Button>
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
        tabs={TABS}
        current={onlyUnread ? 'unread' : 'all'}
        onSelect={(key) => void navigate({ to: '/inbox', search: key === 'unread' ? { unread: true } : {}, replace: true })}
      >
        <Inbox key={String(onlyUnread)} onlyUnread={onlyUnread} item={item} />
      </Tabs>
    </div>
  )
}
