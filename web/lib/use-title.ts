import { useEffect } from 'react'
import { m } from '#messages'
import { brand } from '#web/lib/brand.ts'

let page = ''
let unreadCount = 0

export function useTitle(title: string): void {
  useEffect(() => {
    page = title
    showTitle()
  }, [title])
}

/** Puts the number of unread notifications before the page's title. */
export function setUnreadInTitle(count: number): void {
  unreadCount = count
  showTitle()
}

function showTitle(): void {
  const title = page === '' ? brand.name : m.lib_page_title({ page, brand: brand.name })
  document.title = unreadCount > 0 ? m.lib_unread_title({ count: unreadCount, title }) : title
}
