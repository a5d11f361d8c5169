import { type KeyboardEvent, useRef } from 'react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { areHotkeysOn, useHotkeys } from '#web/lib/hotkeys.ts'
import { inboxOptions, useMarkRead } from './notifications.api.ts'

/** The notifications. j, k and the arrow keys move the focus between them. e and r mark the focused one as read. Enter follows its link. */
export function useInbox(onlyUnread = false) {
  const query = useInfiniteQuery(inboxOptions(onlyUnread))
  const markRead = useMarkRead()
  const notifications = query.data?.notifications
  const list = useRef<HTMLDivElement>(null)
  const items = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-item]') ?? [])]
  const current = () => document.activeElement?.closest<HTMLElement>('[data-item]') ?? null
  const move = (step: 1 | -1) => {
    const all = items()
    const index = all.indexOf(current() as HTMLElement)
    const next = index === -1 ? all.at(step === 1 ? 0 : -1) : all[index + step]
    next?.querySelector<HTMLElement>('[data-item-focus]')?.focus()
  }
  const read = () => {
    const id = current()?.dataset['item']
    if (id === undefined) return
    // In the list of unread ones, the item disappears.
    move(1)
    markRead(notifications?.filter((each) => each.id === id) ?? [])
  }
  const letters = { j: () => move(1), k: () => move(-1), e: read, r: read }
  // For a focus outside of the list. An open panel handles its own keys.
  useHotkeys(letters)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    // React also sends the keys of an item's dialog here.
    if (!event.currentTarget.contains(event.target as Node)) return
    const actions = { ArrowDown: () => move(1), ArrowUp: () => move(-1), ...(areHotkeysOn() && letters) }
    const action: (() => void) | undefined = actions[event.key as keyof typeof actions]
    if (!action) return
    event.preventDefault()
    action()
  }
  return { query, notifications, markRead, list, onKeyDown }
}
