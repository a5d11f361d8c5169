import unreadIcon from './unread-icon.svg'

/** The page's own icon, while the one with a dot is shown. */
let ownIcon: string | undefined

/** Puts a dot on the tab's icon, or removes it. */
export function setUnreadInIcon(hasUnread: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]')
  if (link === null || hasUnread === (ownIcon !== undefined)) return
  if (hasUnread) ownIcon = link.href
  link.href = hasUnread ? unreadIcon : (ownIcon ?? link.href)
  if (!hasUnread) ownIcon = undefined
}
