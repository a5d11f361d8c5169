/** Managers in the settings: added, changed, revoked, and leaving. */
import type { Page } from '@playwright/test'
import { createServer, errorResponse, expect, expectAccessible, holdRequests, signIn, startSession, test } from '#tests/journeys/journey.ts'
import { tabTo } from '#tests/journeys/tab-to.ts'
import { onDesktopAndPhone, grantManager } from '#tests/journeys/users.ts'

/** The browser logs the 404 for a name without a user. */
const NO_SUCH_USER = /404 \(Not Found\) .*\/api\/users\/public\/discord\//

async function find(page: Page, name: string): Promise<void> {
  await page.getByLabel('Discord username').fill(name)
  await page.getByRole('button', { name: 'Find' }).click()
}

test('an owner finds a user, grants, changes and revokes permissions, and the manager gets a message', async ({
  page: owner,
  openPanelAs,
  username,
  allowBrowserError,
}) => {
  test.setTimeout(180_000)
  allowBrowserError(NO_SUCH_USER)
  await signIn(owner, username)
  const helper = await openPanelAs(`${username}_helper`)
  await createServer(owner, { name: `Shared ${username}` })
  const rail = owner.getByRole('navigation', { name: 'Main' })
  // Once it is there, nothing moves during the click.
  await expect(rail.getByRole('link', { name: `Shared ${username}` })).toBeVisible()
  await rail.getByRole('link', { name: 'Settings' }).click()
  await expect(owner).toHaveURL(/\/settings$/)
  await expect(owner).toHaveTitle('Managers · Muster')
  const managers = owner.getByRole('region', { name: 'Your managers' })
  await expect(managers).toContainText('0 of 2')
  await expect(managers).toContainText('No one else manages your servers.')
  await onDesktopAndPhone(owner, (variant) => expectAccessible(owner, `no managers, ${variant}`))

  const name = owner.getByLabel('Discord username')
  await find(owner, ` @${username.toUpperCase()} `)
  await expect(name).toHaveAccessibleDescription(/That is you/)
  await find(owner, '  ')
  await expect(name).toHaveAccessibleDescription('Enter a Discord username.')
  await find(owner, 'nobody here!!')
  await expect(name).toHaveAccessibleDescription('Discord usernames have only letters, digits, periods and underscores.')
  await find(owner, `nobody_${username}`)
  await expect(name).toHaveAccessibleDescription(
    `No user named nobody_${username} has signed in yet. Ask them to sign in once, then try again.`,
  )
  await expect(name).toHaveValue(`nobody_${username}`)
  await onDesktopAndPhone(owner, (variant) => expectAccessible(owner, `no user found, ${variant}`))

  await find(owner, ` @${username.toUpperCase()}_HELPER `)
  const found = owner.getByRole('region', { name: 'Found' })
  await expect(found).toContainText(`${username}_helper`)
  await expect(found.getByRole('button', { name: 'Copy the Discord id' })).toBeVisible()
  await expect(owner.getByText('Dangerous', { exact: true })).toHaveCount(2)
  await owner.getByRole('checkbox', { name: 'Edit details' }).uncheck()
  await owner.getByRole('button', { name: 'Add manager' }).click()
  await expect(owner.getByText('Choose at least one permission.')).toBeVisible()
  await onDesktopAndPhone(owner, (variant) => expectAccessible(owner, `a found user, ${variant}`))
  await owner.getByRole('checkbox', { name: 'Edit details' }).check()
  await owner.getByRole('checkbox', { name: 'Reset address' }).check()
  await owner.getByRole('button', { name: 'Add manager' }).click()
  await expect(managers).toContainText('1 of 2')
  await expect(managers.getByRole('list', { name: 'Permissions' })).toHaveText('Edit detailsReset address')
  await expect(name).toHaveValue('')
  await expect(helper.getByText(`You now manage ${username}’s servers`)).toBeVisible()

  // A manager cannot be added twice.
  await find(owner, `${username}_helper`)
  await expect(name).toHaveAccessibleDescription(/already one of your managers/)

  await managers.getByRole('button', { name: `Edit permissions for ${username}_helper` }).click()
  const dialog = owner.getByRole('dialog', { name: `Edit permissions for ${username}_helper` })
  await expect(dialog.getByRole('checkbox').first()).toBeFocused()
  await dialog.getByRole('checkbox', { name: 'Reset address' }).uncheck()
  await dialog.getByRole('checkbox', { name: 'Edit appearance' }).check()
  await onDesktopAndPhone(owner, (variant) => expectAccessible(owner, `changing, ${variant}`))
  await dialog.getByRole('button', { name: 'Save permissions' }).click()
  await expect(dialog).toBeHidden()
  await expect(managers.getByRole('list', { name: 'Permissions' })).toHaveText('Edit detailsEdit appearance')
  await expect(owner.getByRole('region', { name: 'Recent activity' })).toContainText(`You changed the permissions of ${username}_helper`)

  await managers.getByRole('button', { name: `Remove manager ${username}_helper` }).click()
  await expect(owner.getByRole('alertdialog')).toContainText('at once')
  await expect(owner.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await onDesktopAndPhone(owner, (variant) => expectAccessible(owner, `revoking, ${variant}`))
  await owner.getByRole('button', { name: 'Remove manager', exact: true }).click()
  await expect(managers).toContainText('0 of 2')
  await expect(managers.getByRole('heading', { name: 'Your managers' })).toBeFocused()
  await expect(helper.getByText(`You no longer manage ${username}’s servers`)).toBeVisible()
  await owner.reload()
  await expect(managers).toContainText('0 of 2')
})

test('at the limit of managers the page says what to do instead of offering the form', async ({ page, username, signInAs }) => {
  await startSession(page, username)
  for (const each of ['one', 'two']) await grantManager(page, await signInAs(`${username}_${each}`), 'EDIT_DETAILS')
  await page.goto('/settings/managers')
  await expect(page.getByText('You have reached your limit of 2 managers. Remove one to add another')).toBeVisible()
  await expect(page.getByLabel('Discord username')).toBeHidden()
  await expect(page.getByRole('region', { name: 'Your managers' })).toContainText('2 of 2')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `full, ${variant}`))
})

test('a failed revoke restores the manager with a message, and a failed grant keeps the form', async ({
  page,
  signInAs,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/403 \(Forbidden\)|503 \(Service Unavailable\)/)
  await startSession(page, username)
  const helper = await signInAs(`${username}_kept`)
  await signInAs(`${username}_new`)
  await grantManager(page, helper, 'EDIT_DETAILS')
  await page.route('**/api/users/management', (route) => route.fulfill(errorResponse(503, 'Not right now, try again.')))
  await page.goto('/settings/managers')
  const managers = page.getByRole('region', { name: 'Your managers' })
  await managers.getByRole('button', { name: `Remove manager ${username}_kept` }).click()
  const release = await holdRequests(page, '**/api/users/management', 'DELETE')
  await page.getByRole('button', { name: 'Remove manager', exact: true }).click()
  await expect(managers).toContainText('0 of 2')
  release()
  await expect(managers).toContainText(`${username}_kept`)
  await expect(page.getByText(`Couldn’t remove ${username}_kept as a manager`)).toBeVisible()

  await find(page, `${username}_new`)
  await page.getByRole('checkbox', { name: 'Reissue credential' }).check()
  await page.getByRole('button', { name: 'Add manager' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Not right now, try again.' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Reissue credential' })).toBeChecked()
  await expect(page.getByLabel('Discord username')).toHaveValue(`${username}_new`)
})

test('a manager stops managing from the settings, and the owner sees it', async ({ page: manager, username, openPanelAs }) => {
  await startSession(manager, username)
  const owner = await openPanelAs(`${username}_boss`)
  await createServer(owner, { name: `Theirs ${username}` })
  await grantManager(owner, manager, 'EDIT_DETAILS', 'REISSUE_CREDENTIAL')
  await manager.goto('/settings/managers')
  const received = manager.getByRole('region', { name: 'Servers you manage' })
  await expect(received).toContainText(`${username}_boss`)
  await expect(received).toContainText('1 server')
  await onDesktopAndPhone(manager, (variant) => expectAccessible(manager, `received, ${variant}`))
  await received.getByRole('button', { name: `Stop managing ${username}_boss’s servers` }).click()
  await expect(manager.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await manager.getByRole('button', { name: 'Stop managing', exact: true }).click()
  await expect(received).toContainText('You don’t manage anyone else’s servers.')
  await expect(received.getByRole('heading', { name: 'Servers you manage' })).toBeFocused()
  await expect(owner.getByText(`${username} no longer manages your servers`)).toBeVisible()
  await owner.goto('/settings')
  await expect(owner.getByRole('region', { name: 'Your managers' })).toContainText('0 of 2')
  await expect(owner.getByRole('region', { name: 'Recent activity' })).toContainText(`${username} stopped managing your servers`)
})

test('a manager is added and revoked by keyboard', async ({ page, username, signInAs }) => {
  await signIn(page, username)
  await signInAs(`${username}_keys`)
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeFocused()
  await tabTo(page, page.getByLabel('Discord username'))
  await page.keyboard.type(`@${username}_keys`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Found' })).toBeVisible()
  await tabTo(page, page.getByRole('checkbox', { name: 'Reset address' }))
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  const managers = page.getByRole('region', { name: 'Your managers' })
  await expect(managers).toContainText('1 of 2')
  await expect(page.getByRole('heading', { name: 'Add a manager' })).toBeFocused()
  await tabTo(page, managers.getByRole('button', { name: `Remove manager ${username}_keys` }))
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(managers).toContainText('0 of 2')
  await expect(managers.getByRole('heading', { name: 'Your managers' })).toBeFocused()
})
