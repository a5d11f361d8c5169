import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { createServer, expect, expectSound, signIn, test, whileHeld } from './journey.ts'
import { tabUntil } from './keys.ts'
import { idOf, inEveryGuise, letManage, send } from './people.ts'

/** No user has this name: the browser logs the 404. */
const NOBODY = /404 \(Not Found\) .*\/api\/users\/public\/discord\//

async function find(page: Page, name: string): Promise<void> {
  await page.getByLabel('Exact Discord name').fill(name)
  await page.getByRole('button', { name: 'Find' }).click()
}

test('an owner finds a user, grants, changes and revokes; the manager sees each at once', async ({
  page: owner,
  openPanelAs,
  username,
  expectComplaint,
}) => {
  test.setTimeout(180_000)
  expectComplaint(NOBODY)
  await signIn(owner, username)
  const helper = await openPanelAs(`${username}_helper`)
  await createServer(owner, { name: `Shared ${username}` })
  await owner.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click()
  await expect(owner).toHaveURL(/\/settings$/)
  await expect(owner).toHaveTitle('Managers · Muster')
  const managers = owner.getByRole('region', { name: 'Your managers' })
  await expect(managers).toContainText('0 of 2')
  await expect(managers).toContainText('Nobody but you manages your servers.')
  await inEveryGuise(owner, (guise) => expectSound(owner, `no managers, ${guise}`))

  const name = owner.getByLabel('Exact Discord name')
  await find(owner, ` @${username.toUpperCase()} `)
  await expect(name).toHaveAccessibleDescription(/That is you/)
  await find(owner, '  ')
  await expect(name).toHaveAccessibleDescription(/Type the name/)
  await find(owner, 'nobody here!!')
  await expect(name).toHaveAccessibleDescription('Discord names have only letters, digits, periods and underscores.')
  await find(owner, `nobody_${username}`)
  await expect(name).toHaveAccessibleDescription(
    `Nobody called nobody_${username} has signed in here yet. Ask them to sign in once, then try again.`,
  )
  await expect(name).toHaveValue(`nobody_${username}`)
  await inEveryGuise(owner, (guise) => expectSound(owner, `nobody found, ${guise}`))

  await find(owner, ` @${username.toUpperCase()}_HELPER `)
  const found = owner.getByRole('region', { name: 'Found' })
  await expect(found).toContainText(`${username}_helper`)
  await expect(found.getByRole('button', { name: 'Copy the Discord id' })).toBeVisible()
  await expect(owner.getByText('Dangerous', { exact: true })).toHaveCount(2)
  await owner.getByRole('checkbox', { name: 'Edit details' }).uncheck()
  await owner.getByRole('button', { name: 'Add manager' }).click()
  await expect(owner.getByText('Choose at least one permission.')).toBeVisible()
  await inEveryGuise(owner, (guise) => expectSound(owner, `user found, ${guise}`))
  await owner.getByRole('checkbox', { name: 'Edit details' }).check()
  await owner.getByRole('checkbox', { name: 'Reset address' }).check()
  await owner.getByRole('button', { name: 'Add manager' }).click()
  await expect(managers).toContainText('1 of 2')
  await expect(managers.getByRole('list', { name: 'Permissions' })).toHaveText('Edit detailsReset address')
  await expect(name).toHaveValue('')
  await expect(helper.getByText(`You now manage ${username}’s servers`)).toBeVisible()

  // An existing manager is not added a second time.
  await find(owner, `${username}_helper`)
  await expect(name).toHaveAccessibleDescription(/one of your managers already/)

  await managers.getByRole('button', { name: `Change the permissions of ${username}_helper` }).click()
  const dialog = owner.getByRole('dialog', { name: `Change what ${username}_helper may do` })
  await expect(dialog.getByRole('checkbox').first()).toBeFocused()
  await dialog.getByRole('checkbox', { name: 'Reset address' }).uncheck()
  await dialog.getByRole('checkbox', { name: 'Edit appearance' }).check()
  await inEveryGuise(owner, (guise) => expectSound(owner, `changing, ${guise}`))
  await dialog.getByRole('button', { name: 'Save permissions' }).click()
  await expect(dialog).toBeHidden()
  await expect(managers.getByRole('list', { name: 'Permissions' })).toHaveText('Edit detailsEdit appearance')
  await expect(owner.getByRole('region', { name: 'Recent activity' })).toContainText(`You changed what ${username}_helper may do`)

  await managers.getByRole('button', { name: `Revoke ${username}_helper` }).click()
  await expect(owner.getByRole('alertdialog')).toContainText('end at once')
  await expect(owner.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await inEveryGuise(owner, (guise) => expectSound(owner, `revoking, ${guise}`))
  await owner.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(managers).toContainText('0 of 2')
  await expect(managers.getByRole('heading', { name: 'Your managers' })).toBeFocused()
  await expect(helper.getByText(`You no longer manage ${username}’s servers`)).toBeVisible()
  await owner.reload()
  await expect(managers).toContainText('0 of 2')
})

test('at the limit the page says so, and what to do', async ({ page, username, openPanelAs }) => {
  await signIn(page, username)
  for (const each of ['one', 'two']) await letManage(page, await openPanelAs(`${username}_${each}`), 'EDIT_DETAILS')
  await page.goto('/settings/managers')
  await expect(page.getByText('You have reached your limit of 2 managers. Revoke one to make room')).toBeVisible()
  await expect(page.getByLabel('Exact Discord name')).toBeHidden()
  await expect(page.getByRole('region', { name: 'Your managers' })).toContainText('2 of 2')
  await inEveryGuise(page, (guise) => expectSound(page, `full, ${guise}`))
})

test('a failed revoke is undone with a message; a failed grant keeps the choice', async ({
  page,
  openPanelAs,
  username,
  expectComplaint,
}) => {
  expectComplaint(/403 \(Forbidden\)|503 \(Service Unavailable\)/)
  await signIn(page, username)
  const helper = await openPanelAs(`${username}_kept`)
  await openPanelAs(`${username}_new`)
  await letManage(page, helper, 'EDIT_DETAILS')
  await page.route('**/api/users/management', (route) =>
    route.fulfill({ status: 503, json: { statusCode: 503, errors: ['Not right now, try again.'], isBusiness: false } }),
  )
  await page.goto('/settings/managers')
  const managers = page.getByRole('region', { name: 'Your managers' })
  await managers.getByRole('button', { name: `Revoke ${username}_kept` }).click()
  const letGo = await whileHeld(page, '**/api/users/management', 'DELETE')
  await page.getByRole('button', { name: 'Revoke', exact: true }).click()
  await expect(managers).toContainText('0 of 2')
  letGo()
  await expect(managers).toContainText(`${username}_kept`)
  await expect(page.getByText(`${username}_kept still manages your servers`)).toBeVisible()

  await find(page, `${username}_new`)
  await page.getByRole('checkbox', { name: 'Reissue credential' }).check()
  await page.getByRole('button', { name: 'Add manager' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Not right now, try again.' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Reissue credential' })).toBeChecked()
  await expect(page.getByLabel('Exact Discord name')).toHaveValue(`${username}_new`)
})

test('a manager stops managing', async ({ page: manager, username, openPanelAs }) => {
  await signIn(manager, username)
  const owner = await openPanelAs(`${username}_boss`)
  await createServer(owner, { name: `Theirs ${username}` })
  await letManage(owner, manager, 'EDIT_DETAILS', 'REISSUE_CREDENTIAL')
  await manager.goto('/settings/managers')
  const received = manager.getByRole('region', { name: 'Servers I manage for others' })
  await expect(received).toContainText(`${username}_boss`)
  await expect(received).toContainText('1 server')
  await inEveryGuise(manager, (guise) => expectSound(manager, `received, ${guise}`))
  await received.getByRole('button', { name: `Stop managing the servers of ${username}_boss` }).click()
  await expect(manager.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await manager.getByRole('button', { name: 'Stop managing', exact: true }).click()
  await expect(received).toContainText('You manage nobody else’s servers.')
  await expect(received.getByRole('heading', { name: 'Servers I manage for others' })).toBeFocused()
  await expect(owner.getByText(`${username} no longer manages your servers`)).toBeVisible()
  await owner.goto('/settings')
  await expect(owner.getByRole('region', { name: 'Your managers' })).toContainText('0 of 2')
  await expect(owner.getByRole('region', { name: 'Recent activity' })).toContainText(`${username} stopped managing your servers`)
})

test('a grant without a mouse', async ({ page, username, openPanelAs }) => {
  await signIn(page, username)
  await openPanelAs(`${username}_keys`)
  await page.keyboard.press('g')
  await page.keyboard.press('t')
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeFocused()
  await tabUntil(page, page.getByLabel('Exact Discord name'))
  await page.keyboard.type(`@${username}_keys`)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: 'Found' })).toBeVisible()
  await tabUntil(page, page.getByRole('checkbox', { name: 'Reset address' }))
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  const managers = page.getByRole('region', { name: 'Your managers' })
  await expect(managers).toContainText('1 of 2')
  await expect(page.getByRole('heading', { name: 'Add a manager' })).toBeFocused()
  await tabUntil(page, managers.getByRole('button', { name: `Revoke ${username}_keys` }))
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(managers).toContainText('0 of 2')
  await expect(managers.getByRole('heading', { name: 'Your managers' })).toBeFocused()
})

test('every section of the settings has an address and a title, and is found by its name', async ({ page, username }) => {
  await signIn(page, username)
  const parts = page.getByRole('navigation', { name: 'Settings' })
  for (const [link, address, title] of [
    ['Transfers', 'transfers', 'Transfers'],
    ['Activity', 'activity', 'Activity'],
    ['Delete account', 'delete-account', 'Delete account'],
    ['Managers', 'managers', 'Managers'],
  ] as const) {
    await page.goto('/settings')
    await expect(parts.getByRole('link', { name: 'Managers' })).toHaveAttribute('aria-current', 'page')
    await parts.getByRole('link', { name: link }).click()
    await expect(page).toHaveURL(new RegExp(`/settings/${address}$`))
    await expect(page).toHaveTitle(`${title} · Muster`)
    await page.reload()
    await expect(parts.getByRole('link', { name: link })).toHaveAttribute('aria-current', 'page')
  }
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('listbox')).toBeVisible()
  await page.keyboard.type('transf')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/settings\/transfers$/)
})

test('the activity reads as sentences, page by page', async ({ page, username, openPanelAs, expectComplaint }) => {
  test.setTimeout(180_000)
  expectComplaint(/503 \(Service Unavailable\)/)
  await signIn(page, username)
  const { public_id } = await createServer(page, { name: `Told ${username}` })
  const helper = await openPanelAs(`${username}_aide`)
  await letManage(page, helper, 'EDIT_DETAILS')
  await send(helper, `PATCH /api/users/management/${await idOf(page)}/tokens/${public_id}`, { game_mode: 'Drift', visible: false })
  await page.goto(`/servers/${public_id}?tab=activity`)
  const panel = page.getByRole('tabpanel')
  await expect(panel).toContainText(`${username}_aide (manager) changed the server`)
  await expect(panel).toContainText('Game mode')
  await expect(panel.getByText('Drift')).toBeVisible()
  await expect(panel).toContainText('You registered the server')
  await inEveryGuise(page, (guise) => expectSound(page, `a server's activity, ${guise}`))

  for (let round = 0; round < 55; round += 1) await send(page, `PATCH /api/users/tokens/${public_id}`, { description: `Number ${round}` })
  await page.goto('/settings/activity')
  await expect(page.getByText('Number 54')).toHaveCount(1)
  await expect(page.getByText('You signed in for the first time')).toBeHidden()
  await inEveryGuise(page, (guise) => expectSound(page, `activity, ${guise}`))
  await page.route('**/api/users/activity?before=*', (route) =>
    route.fulfill({ status: 503, json: { statusCode: 503, errors: ['Too much going on.'], isBusiness: false } }),
  )
  await page.getByRole('button', { name: 'Load older' }).click()
  await expect(page.getByRole('alert')).toContainText('Too much going on.')
  await expect(page.getByText('Number 54')).toHaveCount(1)
  await page.unroute('**/api/users/activity?before=*')
  await page.getByRole('button', { name: 'Load older' }).focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('You signed in for the first time')).toBeVisible()
  await expect(page.getByText('No older activity.')).toBeFocused()
})

test('an activity that cannot be read says so and can be retried', async ({ page, username, expectComplaint }) => {
  expectComplaint(/503 \(Service Unavailable\)/)
  await signIn(page, username)
  await page.route('**/api/users/activity', (route) =>
    route.fulfill({ status: 503, json: { statusCode: 503, errors: ['Too much going on.'], isBusiness: false } }),
  )
  await page.goto('/settings')
  const recent = page.getByRole('region', { name: 'Recent activity' })
  await expect(recent).toContainText('Too much going on.')
  await inEveryGuise(page, (guise) => expectSound(page, `no activity to be had, ${guise}`))
  await page.unroute('**/api/users/activity')
  await recent.getByRole('button', { name: 'Try again' }).click()
  await expect(recent).toContainText('You signed in for the first time')
  await recent.getByRole('link', { name: 'See all' }).click()
  await expect(page).toHaveURL(/\/settings\/activity$/)
})

test('account deletion lists what is deleted, asks for the name, and can be cancelled', async ({ page, username, expectComplaint }) => {
  expectComplaint(/403 \(Forbidden\)/)
  await signIn(page, username)
  const { credential } = await createServer(page, { name: `Last ${username}` })
  await page.goto('/settings/delete-account')
  const card = page.getByRole('region', { name: 'Delete your account' })
  await expect(card).toContainText('1 server')
  await expect(card).toContainText('Your account is erased 24 hours after you confirm.')
  await expect(card).not.toContainText('manager')
  await inEveryGuise(page, (guise) => expectSound(page, `leaving, ${guise}`))

  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download' }).click()])
  expect(file.suggestedFilename()).toBe(`muster-${username}.json`)
  const text = await readFile(await file.path(), 'utf8')
  expect((JSON.parse(text) as { format: string }).format).toBe('muster-export-1')
  expect(text).toContain(`Last ${username}`)
  expect(text).not.toContain(credential)

  const go = card.getByRole('button', { name: 'Delete account' })
  await expect(go).toBeDisabled()
  await card.getByLabel('to confirm').fill('somebody else')
  await page.keyboard.press('Enter')
  await expect(card.getByLabel('to confirm')).toHaveAccessibleDescription(`That is not your name: ${username}`)
  await expect(go).toBeDisabled()
  await card.getByLabel('to confirm').fill(` ${username.toUpperCase()} `)
  await go.click()
  await expect(page.getByRole('heading', { name: 'Your account is set for deletion' })).toBeFocused()
  await expect(page.getByRole('timer')).toContainText(/2[34]hours/)
  await page.getByRole('button', { name: 'Cancel deletion' }).click()
  await expect(page.getByText('Account deletion cancelled')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()
  await page.goto('/settings/activity')
  await expect(page.getByText('You cancelled the deletion of your account')).toBeVisible()
})

test('a rejected deletion says why, and the draft stays', async ({ page, username, expectComplaint }) => {
  expectComplaint(/403 \(Forbidden\)/)
  await signIn(page, username)
  await page.route('**/api/auth/me/delete', (route) =>
    route.fulfill({
      status: 403,
      json: { statusCode: 403, errors: ['You are the last administrator. Make somebody else one first.'], isBusiness: false },
    }),
  )
  await page.goto('/settings/delete-account')
  await page.getByLabel('to confirm').fill(username)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'You are the last administrator.' })).toBeVisible()
  await expect(page.getByLabel('to confirm')).toHaveValue(username)
  await inEveryGuise(page, (guise) => expectSound(page, `refused, ${guise}`))
})

test('the longest names fit a phone', async ({ page, username, openPanelAs }) => {
  const long = 'w'.repeat(32)
  const other = 'm'.repeat(32)
  await signIn(page, username)
  const helper = await openPanelAs(long)
  await openPanelAs(other)
  const { public_id } = await createServer(page, { name: 'Wm'.repeat(32) })
  await letManage(page, helper, 'EDIT_DETAILS', 'REISSUE_CREDENTIAL')
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/settings/managers')
  await page.getByLabel('Exact Discord name').fill(other)
  await page.keyboard.press('Enter')
  await expect(page.getByText(/What may/)).toBeVisible()
  await expectSound(page, 'user found, long names')
  await page.getByRole('button', { name: `Revoke ${long}` }).click()
  await expectSound(page, 'revoking, long names')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.goto(`/servers/${public_id}?tab=danger`)
  await page.getByRole('button', { name: 'Hand over…' }).click()
  await page.getByLabel('Exact Discord name').fill(other)
  await page.keyboard.press('Enter')
  await expect(page.getByText('What is lost')).toBeVisible()
  await expectSound(page, 'handing over, long names')
  await page.goto('/servers')
  await expectSound(page, 'the list, long names')
  await helper.setViewportSize({ width: 390, height: 844 })
  await helper.goto('/servers')
  await helper.getByRole('main').getByRole('link', { name: 'WmWm' }).first().click()
  await expect(helper.getByRole('button', { name: 'Stop managing…' })).toBeVisible()
  await expectSound(helper, 'a managed server, long names')
})
