/** Settings: managers, activity, data export and account deletion. */
import { readFile } from 'node:fs/promises'
import { createServer, errorResponse, expect, expectAccessible, startSession, test } from '#tests/journeys/journey.ts'
import { idOf, onDesktopAndPhone, grantManager, send } from '#tests/journeys/users.ts'

test('every section of the settings has an address and a title, and the command palette finds them', async ({ page, username }) => {
  await startSession(page, username)
  const tabs = page.getByRole('navigation', { name: 'Settings' })
  await page.goto('/settings')
  await expect(tabs.getByRole('link', { name: 'Managers' })).toHaveAttribute('aria-current', 'page')
  for (const [link, address, title] of [
    ['Webhooks', 'webhooks', 'Webhooks'],
    ['Transfers', 'transfers', 'Transfers'],
    ['Activity', 'activity', 'Activity'],
    ['Delete account', 'delete-account', 'Delete account'],
    ['Managers', 'managers', 'Managers'],
  ] as const) {
    await tabs.getByRole('link', { name: link }).click()
    await expect(page).toHaveURL(new RegExp(`/settings/${address}$`))
    await expect(page).toHaveTitle(`${title} · Muster`)
    await page.reload()
    await expect(tabs.getByRole('link', { name: link })).toHaveAttribute('aria-current', 'page')
  }
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('listbox')).toBeVisible()
  await page.keyboard.type('transf')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/settings\/transfers$/)
})

test('on a narrow screen, a select opens the sections of the settings', async ({ page, username }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await startSession(page, username)
  await page.goto('/settings')
  const sections = page.getByRole('combobox', { name: 'Settings' })
  await expect(sections).toHaveValue('/settings/managers')
  await expect(page.getByRole('navigation', { name: 'Settings' })).toBeHidden()
  await sections.selectOption('Activity')
  await expect(page).toHaveURL(/\/settings\/activity$/)
  await expect(sections).toHaveValue('/settings/activity')
})

test('activity is shown as sentences and loaded page by page, and a failed page can be retried', async ({
  page,
  username,
  signInAs,
  allowBrowserError,
}) => {
  test.setTimeout(180_000)
  allowBrowserError(/503 \(Service Unavailable\)/)
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Active ${username}` })
  const helper = await signInAs(`${username}_aide`)
  await grantManager(page, helper, 'EDIT_DETAILS')
  await send(helper, `PATCH /api/users/management/${await idOf(page)}/tokens/${public_id}`, { game_mode: 'Drift', visible: false })
  await page.goto(`/servers/${public_id}?tab=activity`)
  const panel = page.getByRole('tabpanel')
  await expect(panel).toContainText(`${username}_aide (manager) changed the server`)
  await expect(panel).toContainText('Game mode')
  await expect(panel.getByText('Drift')).toBeVisible()
  await expect(panel).toContainText('You created the server')
  await expect(page.getByText('Not listed, first of 2 reasons')).toBeVisible()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `a server's activity, ${variant}`))

  for (let round = 0; round < 55; round += 1) await send(page, `PATCH /api/users/tokens/${public_id}`, { description: `Number ${round}` })
  await page.goto('/settings/activity')
  await expect(page.getByText('Number 54')).toHaveCount(1)
  await expect(page.getByText('You signed in for the first time')).toBeHidden()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `activity, ${variant}`))
  await page.route('**/api/users/activity?before=*', (route) => route.fulfill(errorResponse(503, 'Too much going on.')))
  await page.getByRole('button', { name: 'Load older' }).click()
  await expect(page.getByRole('alert')).toContainText('Too much going on.')
  await expect(page.getByText('Number 54')).toHaveCount(1)
  await page.unroute('**/api/users/activity?before=*')
  await page.getByRole('button', { name: 'Load older' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('You signed in for the first time')).toBeVisible()
  await expect(page.getByText('No older activity.')).toBeFocused()
})

test('activity that cannot be read shows the error and can be retried', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/503 \(Service Unavailable\)/)
  await startSession(page, username)
  await page.route('**/api/users/activity', (route) => route.fulfill(errorResponse(503, 'Too much going on.')))
  await page.goto('/settings')
  const recent = page.getByRole('region', { name: 'Recent activity' })
  await expect(recent).toContainText('Too much going on.')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `an activity error, ${variant}`))
  await page.unroute('**/api/users/activity')
  await recent.getByRole('button', { name: 'Try again' }).click()
  await expect(recent).toContainText('You signed in for the first time')
  await recent.getByRole('link', { name: 'See all' }).click()
  await expect(page).toHaveURL(/\/settings\/activity$/)
})

test('account deletion lists what is deleted, offers an export, asks for the name, and can be cancelled', async ({
  page,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/403 \(Forbidden\)/)
  await startSession(page, username)
  const { credential } = await createServer(page, { name: `Last ${username}` })
  await page.goto('/settings/delete-account')
  const card = page.getByRole('region', { name: 'Delete your account' })
  await expect(card).toContainText('1 server')
  await expect(card).toContainText('Your account is erased 24 hours after you confirm.')
  await expect(card).not.toContainText('manager')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `account deletion, ${variant}`))

  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()])
  expect(file.suggestedFilename()).toBe(`muster-${username}.json`)
  const text = await readFile(await file.path(), 'utf8')
  expect((JSON.parse(text) as { format: string }).format).toBe('muster-export-1')
  expect(text).toContain(`Last ${username}`)
  expect(text).not.toContain(credential)

  const submit = card.getByRole('button', { name: 'Delete account' })
  await expect(submit).toBeDisabled()
  await card.getByLabel('to confirm').fill('someone else')
  await page.keyboard.press('Enter')
  await expect(card.getByLabel('to confirm')).toHaveAccessibleDescription(`This is not your username: ${username}`)
  await expect(submit).toBeDisabled()
  await card.getByLabel('to confirm').fill(` ${username.toUpperCase()} `)
  await submit.click()
  await expect(page.getByRole('heading', { name: 'Your account is set for deletion' })).toBeFocused()
  await expect(page.getByRole('timer')).toContainText(/2[34]hours/)
  await page.getByRole('button', { name: 'Cancel deletion' }).click()
  await expect(page.getByText('Account deletion cancelled')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
  await page.goto('/settings/activity')
  await expect(page.getByText('You cancelled the deletion of your account')).toBeVisible()
})

test('a rejected deletion says why, and the typed name stays', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(/403 \(Forbidden\)/)
  await startSession(page, username)
  await page.route('**/api/auth/me/delete', (route) =>
    route.fulfill(
      errorResponse(403, "You are the last administrator, so you can't delete your account. Make another user an administrator first."),
    ),
  )
  await page.goto('/settings/delete-account')
  await page.getByLabel('to confirm').fill(username)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'You are the last administrator,' })).toBeVisible()
  await expect(page.getByLabel('to confirm')).toHaveValue(username)
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `a rejected deletion, ${variant}`))
})

test('the longest names fit a phone', async ({ page, username, signInAs }) => {
  const long = 'w'.repeat(32)
  const other = 'm'.repeat(32)
  await startSession(page, username)
  const helper = await signInAs(long)
  await signInAs(other)
  const { public_id } = await createServer(page, { name: 'Wm'.repeat(32) })
  await grantManager(page, helper, 'EDIT_DETAILS', 'REISSUE_CREDENTIAL')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/settings/managers')
  await page.getByLabel('Discord username').fill(other)
  await page.keyboard.press('Enter')
  await expect(page.getByText(/What can/)).toBeVisible()
  await expectAccessible(page, 'a found user, long names')
  await page.getByRole('button', { name: `Remove manager ${long}` }).click()
  await expectAccessible(page, 'revoking, long names')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.goto(`/servers/${public_id}?tab=danger`)
  await page.getByRole('button', { name: 'Transfer server…' }).click()
  await page.getByLabel('Discord username').fill(other)
  await page.keyboard.press('Enter')
  await expect(page.getByText('What is removed')).toBeVisible()
  await expectAccessible(page, 'a transfer, long names')
  await page.goto('/servers')
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
  await expectAccessible(page, 'the list, long names')
  await helper.setViewportSize({ width: 390, height: 844 })
  await helper.goto('/servers')
  await helper.getByRole('main').getByRole('link', { name: 'WmWm' }).first().click()
  await expect(helper.getByRole('button', { name: 'Stop managing…' })).toBeVisible()
  await expectAccessible(helper, 'a managed server, long names')
})
