import { Inbox, MailCheck } from 'lucide-react'
import { m } from '#messages'
import { EmptyState } from '#web/ui/empty-state.tsx'

export function InboxEmpty({ onlyUnread = false }: { onlyUnread?: boolean }) {
  const Icon = onlyUnread ? MailCheck : Inbox
  return (
    <EmptyState
      icon={<Icon size={28} strokeWidth={1.5} aria-hidden="true" />}
      title={onlyUnread ? m.inbox_empty_unread() : m.inbox_empty()}
    >
      {onlyUnread ? m.inbox_empty_unread_hint() : m.inbox_empty_hint()}
    </EmptyState>
  )
}
