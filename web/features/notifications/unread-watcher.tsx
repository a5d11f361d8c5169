import { useEffect, useRef, useState } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { setUnreadInTitle } from '#web/lib/use-title.ts'
import { counted } from '#web/ui/count-text.ts'
import { inboxOptions } from './notifications.api.ts'
import { setUnreadInIcon } from './unread-icon.ts'

/** How long an announcement stays on the page. The next one can have the same text. */
const ANNOUNCEMENT_MS = 5000

/** Shows how many notifications are unread in the tab's title and icon, and announces new ones to screen readers. */
export function UnreadWatcher({ onChange }: { onChange: (unread: number) => void }) {
  const count = useInfiniteQuery(inboxOptions()).data?.unread
  const unread = count ?? 0
  useEffect(() => {
    onChange(unread)
    setUnreadInTitle(unread)
    setUnreadInIcon(unread > 0)
  }, [unread, onChange])
  useEffect(() => () => hideUnread(), [])
  return (
    <p role="status" className="sr-only">
      {useAnnouncement(count)}
    </p>
  )
}

function hideUnread(): void {
  setUnreadInTitle(0)
  setUnreadInIcon(false)
}

/** For a moment, how many notifications are new. Those from before the page opened are not. */
function useAnnouncement(unread: number | undefined): string {
  const previous = useRef(unread)
  const [text, setText] = useState('')
  useEffect(() => {
    const count = (unread ?? 0) - (previous.current ?? unread ?? 0)
    previous.current = unread
    if (count <= 0) return undefined
    setText(m.inbox_announcement(counted(count)))
    const timer = setTimeout(() => setText(''), ANNOUNCEMENT_MS)
    return () => {
      clearTimeout(timer)
      setText('')
    }
  }, [unread])
  return text
}
