import { type KeyboardEvent, useRef } from 'react'
import type { Notification } from '#contract/webhooks/notifications.ts'
import { areHotkeysOn, useHotkeys } from '#web/lib/hotkeys.ts'
import type { ReadNotifications } from './notifications.api.ts'

/** j, k and the arrow keys move the focus between items. e and r mark the focused one as read. Enter follows its link. */
export function useItemKeys(notifications: readonly Notification[] = [], onRead: ReadNotifications) {
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
    onRead(notifications.filter((each) => each.id === id))
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
  return { list, onKeyDown }
}
