import { useEffect, useRef, useState } from 'react'
import { m } from '#messages'
import { setUnreadInTitle } from '#web/lib/use-title.ts'
import { counted } from '#web/ui/count-text.ts'
import unreadIcon from './unread-icon.svg'

/** How long an announcement stays on the page. The next one can have the same text. */
const ANNOUNCEMENT_MS = 5000

/** Shows how many notifications are unread in the tab's title and icon, and announces new ones to screen readers. */
export function UnreadWatcher({ count }: { count: number | undefined }) {
  useEffect(() => {
    showUnread(count ?? 0)
    return () => showUnread(0)
  }, [count])
  return (
    <p role="status" className="sr-only">
      {useAnnouncement(count)}
    </p>
  )
}

/** The page's own icon, while the one with a dot is shown. */
let ownIcon: string | undefined

function showUnread(unread: number): void {
  setUnreadInTitle(unread)
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  const hasUnread = unread > 0
  if (link === null || hasUnread === (ownIcon !== undefined)) return
  const shown = ownIcon ?? unreadIcon
  ownIcon = ownIcon === undefined ? link.href : undefined
  link.href = shown
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
