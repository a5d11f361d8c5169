/** The inbox: its count, panel and page, and the choice of what appears in it. */
import { createServer, expect, expectAccessible, openWithStream, signIn, test } from '#tests/journeys/journey.ts'
import { offerServer, onDesktopAndPhone } from '#tests/journeys/users.ts'

test('a transfer request appears in the inbox, is answered by keyboard, and its type can be switched off', async ({
  page,
  username,
  signInAs,
}) => {
  await signIn(page, username)
  const other = await signInAs(`${username}_other`)
  const offer = async (name: string) => {
    const { public_id: id } = await createServer(other, { name })
    await offerServer(other, id, page)
  }
  const bell = page.getByRole('button', { name: 'Inbox' })
  const icon = page.locator('link[rel=icon]')
  const [gift, town] = [`Gift ${username}`, `Town ${username}`]
  await page.goto('/inbox')
  await expect(page.getByRole('heading', { name: 'No notifications yet' })).toBeVisible()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `an empty inbox, ${variant}`))

  // Counted in the rail, the title and the tab's icon, and announced.
  const loaded = page.waitForResponse('**/api/users/notifications')
  await openWithStream(page, '/servers')
  // Only what comes later is announced.
  await loaded
  await offer(gift)
  await expect(bell).toHaveAccessibleName('Inbox, 1 unread')
  await expect(page.getByRole('status').filter({ hasText: '1 new notification' })).toBeAttached()
  await expect(page).toHaveTitle('(1) Servers · Muster')
  await expect(icon).toHaveAttribute('href', /unread/)

  // The panel has it pinned. Its link opens the buttons that answer it.
  await bell.focus()
  await page.keyboard.press('Enter')
  const panel = page.getByRole('dialog', { name: 'Inbox' })
  const pinned = panel.getByRole('region', { name: 'Needs your answer' })
  await expect(pinned.getByRole('link', { name: `Transfer requested · ${gift}` })).toBeVisible()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `the panel, ${variant}`))
  await page.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(bell).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(panel.getByRole('region', { name: 'Needs your answer' })).toBeVisible()
  // A press right after the panel closed opens it again.
  await page.keyboard.press('Escape')
  await bell.click()
  await expect(panel.getByRole('heading', { name: 'Inbox' })).toBeFocused()
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/inbox\?item=/)
  await expect(panel).toBeHidden()
  await expect(bell).toHaveAccessibleName('Inbox')
  await expect(page).toHaveTitle('Inbox · Muster')
  await expect(icon).not.toHaveAttribute('href', /unread/)
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `the inbox, ${variant}`))
  await expect(page.getByRole('button', { name: `Accept transfer of ${gift}` })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: gift })).toBeVisible()

  await page.goto('/inbox')
  await expect(page.getByRole('heading', { level: 2, name: 'Today' })).toBeVisible()
  await expectAccessible(page, 'an inbox without requests')

  // A phone has a link instead. A button marks everything as read, and e one notification.
  await page.setViewportSize({ width: 320, height: 700 })
  await offer(town)
  await page.getByRole('link', { name: 'Inbox, 1 unread' }).click()
  await expect(page.getByRole('article', { name: `Transfer request: ${town}` })).toBeVisible()
  await expectAccessible(page, 'the inbox on a narrow phone')
  await page.getByRole('button', { name: 'Mark all as read' }).click()
  await expect(page.getByRole('link', { name: 'Inbox', exact: true })).toBeVisible()
  await page.getByRole('tab', { name: 'Unread' }).click()
  await expect(page).toHaveURL('/inbox?unread=true')
  await expect(page.getByRole('heading', { name: 'You’re all caught up' })).toBeVisible()

  await page.getByRole('link', { name: 'Notification settings' }).click()
  const type = page.getByRole('switch', { name: 'Transfer cancelled' })
  const saved = page.waitForResponse('**/api/users/preferences')
  await type.click()
  await saved
  await page.reload()
  await expect(type).not.toBeChecked()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `the settings, ${variant}`))
})
