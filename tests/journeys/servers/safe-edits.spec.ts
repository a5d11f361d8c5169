/** Safe edits: conflicts of every form, old drafts, the bin of deleted servers, and undo. */
import type { Page } from '@playwright/test'
import type { DeletedServer } from '#contract/servers/deleted-servers.ts'
import type { Server } from '#contract/servers/servers.ts'
import { createServer, expect, expectAccessible, openWithStream, signIn, startSession, test } from '#tests/journeys/journey.ts'
import { forceTier, grantManager, idOf, onDesktopAndPhone, send } from '#tests/journeys/users.ts'

const CONFLICT = /412 \(Precondition Failed\)/

const conflictOf = (page: Page) => page.getByRole('dialog', { name: 'Changed while you were editing' })
const part = (page: Page, name: string) => conflictOf(page).getByRole('group', { name: new RegExp(`^${name}`) })
const serverOf = (page: Page, id: string) => send<Server>(page, `GET /api/users/tokens/${id}`)

test('two tabs edit one listing: each part keeps either side, and nothing typed is lost', async ({ page, username, allowBrowserError }) => {
  test.slow()
  allowBrowserError(CONFLICT)
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Twice ${username}`, description: 'Old text', website: 'https://example.com/' })
  const address = `/servers/${public_id}?tab=listing`
  await openWithStream(page, address)
  const other = await page.context().newPage()
  await other.goto(address)
  await page.getByLabel('Description').fill('Mine')
  await page.getByLabel('Game mode').fill('Racing')
  await page.getByLabel('Region').selectOption('South America')
  await other.getByLabel('Description').fill('Theirs')
  await other.getByLabel('Website').fill('https://theirs.example/')
  await other.getByRole('button', { name: 'Save changes' }).click()
  await expect(other.getByText('Listing saved')).toBeVisible()
  // The update arrives at the first tab, and overwrites nothing there.
  await expect.poll(() => page.evaluate(() => document.title)).not.toBe('')
  await expect(page.getByLabel('Description')).toHaveValue('Mine')

  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(conflictOf(page)).toBeVisible()
  await expect(part(page, 'Description')).toContainText('Changed in both versions')
  await expect(part(page, 'Description').getByRole('radio', { name: /^Yours/ })).toBeChecked()
  await expect(part(page, 'Description').getByRole('radio', { name: /^Yours/ })).toBeFocused()
  await expect(part(page, 'Game mode').getByRole('radio', { name: /^Yours/ })).toBeChecked()
  await expect(part(page, 'Region').getByRole('radio', { name: /^Yours.*South America/ })).toBeChecked()
  await expect(part(page, 'Website').getByRole('radio', { name: /^Saved version/ })).toBeChecked()
  await expect(conflictOf(page).getByRole('group')).toHaveCount(4)
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `a conflict, ${variant}`))

  // Back in the form, everything is as it was typed.
  await page.keyboard.press('Escape')
  await expect(conflictOf(page)).toBeHidden()
  await expect(page.getByLabel('Description')).toHaveValue('Mine')
  expect((await serverOf(page, public_id)).description).toBe('Theirs')
  await page.getByRole('button', { name: 'Save changes' }).click()
  // By keyboard: the other side of the description, then save.
  await expect(part(page, 'Description').getByRole('radio', { name: /^Yours/ })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(part(page, 'Description').getByRole('radio', { name: /^Saved version/ })).toBeChecked()
  await page.getByRole('button', { name: 'Save selection' }).press('Enter')
  await expect(page.getByText('Listing saved')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden()
  expect(await serverOf(page, public_id)).toMatchObject({
    description: 'Theirs',
    game_mode: 'Racing',
    region: 'sa',
    website: 'https://theirs.example/',
  })
  await expect(page.getByLabel('Website')).toHaveValue('https://theirs.example/')
})

test('a restored draft conflicts with what was saved since', async ({ page, username, allowBrowserError }) => {
  allowBrowserError(CONFLICT)
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Draft ${username}`, description: 'Old text' })
  await openWithStream(page, `/servers/${public_id}?tab=listing`)
  await page.getByLabel('Description').fill('From the draft')
  await expect(page.getByText('Unsaved changes')).toBeVisible()
  page.once('dialog', (dialog) => void dialog.accept())
  await page.goto('about:blank')
  await send(page, `PATCH /api/users/tokens/${public_id}`, { description: 'Saved meanwhile' })
  await openWithStream(page, `/servers/${public_id}?tab=listing`)
  await expect(page.getByText('Unsaved changes restored')).toBeVisible()
  await expect(page.getByLabel('Description')).toHaveValue('From the draft')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(part(page, 'Description')).toContainText('Saved meanwhile')
  expect((await serverOf(page, public_id)).description).toBe('Saved meanwhile')
  await page.getByRole('button', { name: 'Save selection' }).click()
  await expect.poll(async () => (await serverOf(page, public_id)).description).toBe('From the draft')
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden()
  await page.reload()
  await expect(page.getByLabel('Description')).toHaveValue('From the draft')
  await expect(page.getByText('Unsaved changes')).toBeHidden()
})

test('a manager and an administrator meet a change of the owner', async ({ page: owner, signInAs, username, allowBrowserError }) => {
  test.slow()
  allowBrowserError(CONFLICT)
  await startSession(owner, username)
  const manager = await signInAs(`${username}_helper`)
  const admin = await signInAs('admin')
  const { public_id } = await createServer(owner, { name: `Shared ${username}`, description: 'Old text' })
  await grantManager(owner, manager, 'EDIT_DETAILS')
  const pages = [
    [manager, `/management/${await idOf(owner)}/servers/${public_id}?tab=listing`],
    [admin, `/admin/servers/${public_id}?tab=listing`],
  ] as const
  for (const [page, address] of pages) {
    await openWithStream(page, address)
    await page.getByLabel('Description').fill(`By ${address}`)
    await send(owner, `PATCH /api/users/tokens/${public_id}`, { description: `Before ${address}`, game_mode: address.slice(0, 6) })
    await page.getByRole('button', { name: 'Save changes' }).click()
    await expect(part(page, 'Description')).toContainText(`Before ${address}`)
    await page.getByRole('button', { name: 'Save selection' }).click()
    await expect(page.getByText('Listing saved')).toBeVisible()
    expect(await serverOf(owner, public_id)).toMatchObject({ description: `By ${address}`, game_mode: address.slice(0, 6) })
  }
  // Verifying changes no field of the form, so there is nothing to choose.
  await admin.getByLabel('Description').fill('Again')
  await admin.getByRole('switch', { name: 'Verified' }).click()
  await expect(admin.getByText('Listing saved')).toBeHidden()
  await admin.getByRole('button', { name: 'Save changes' }).click()
  await expect(admin.getByText('Listing saved')).toBeVisible()
  expect(await serverOf(owner, public_id)).toMatchObject({ description: 'Again', verified: true })
})

test('benefit settings and the name of a group show a conflict', async ({ page, signInAs, username, allowBrowserError }) => {
  test.slow()
  allowBrowserError(CONFLICT)
  await startSession(page, username)
  const admin = await signInAs('admin')
  await forceTier(admin, page, 'DIAMOND_ALTRUIST')
  await createServer(page, { name: `Themed ${username}` })
  await openWithStream(page, '/benefits/custom_launcher')
  await page.getByRole('textbox', { name: /^Name/ }).fill('My launcher')
  await send(page, 'PUT /api/users/benefits/CUSTOM_LAUNCHER/settings', {
    name: 'Their launcher',
    primary_color: '#112233',
    all_servers: false,
  })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(part(page, 'Name')).toContainText('Changed in both versions')
  await expect(part(page, 'Colour').getByRole('radio', { name: /^Saved version/ })).toBeChecked()
  await expect(part(page, 'Servers')).toContainText('none')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `a conflict of settings, ${variant}`))
  await page.getByRole('button', { name: 'Save selection' }).click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Save changes' })).toBeHidden()
  const settings = await send(page, 'GET /api/users/benefits/CUSTOM_LAUNCHER/settings')
  expect(settings).toMatchObject({ name: 'My launcher', primary_color: '#112233', all_servers: false, server_ids: [] })

  const group = await send<{ id: string }>(page, 'POST /api/users/groups', { name: 'First name' })
  await openWithStream(page, '/benefits')
  await page.getByRole('button', { name: 'Rename First name' }).click()
  await page.getByLabel('New name of').fill('My name')
  await send(page, `PATCH /api/users/groups/${group.id}`, { name: 'Their name' })
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect(part(page, 'Name')).toContainText('Their name')
  await page.getByRole('button', { name: 'Back to editing' }).click()
  await expect(page.getByLabel('New name of')).toHaveValue('My name')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await page.getByRole('button', { name: 'Save selection' }).click()
  await expect(page.getByText('Group renamed')).toBeVisible()
  expect(await send(page, 'GET /api/users/groups')).toMatchObject([{ name: 'My name' }])
})

async function deleteServer(page: Page, id: string, name: string): Promise<void> {
  await openWithStream(page, `/servers/${id}?tab=danger`)
  await page.getByRole('button', { name: 'Delete server…' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('You can restore it for 7 days')
  await page.getByLabel('to confirm').fill(name)
  await page.getByRole('button', { name: 'Delete server', exact: true }).click()
  await expect(page.getByText('Server deleted')).toBeVisible()
}

test('a deleted server can be restored from the toast and from the list', async ({ page, username, allowBrowserError, signInAs }) => {
  test.slow()
  allowBrowserError(/403 \(Forbidden\) .*\/restore$/)
  await signIn(page, username)
  const name = `Gone ${username}`
  const { public_id } = await createServer(page, { name })
  await deleteServer(page, public_id, name)
  await expect(page.getByText(`You can restore ${name} for 7 days.`)).toBeVisible()
  const bin = page.getByRole('region', { name: 'Recently deleted' })
  await expect(bin).toContainText('7 days left')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `the bin, ${variant}`))
  const alert = page.locator('[data-sonner-toast]')
  // Success alerts last three seconds, which is too short to decide.
  await expect(alert.filter({ hasText: 'You can restore' })).toBeVisible()
  await expect(alert.filter({ hasText: 'You can restore' })).not.toHaveAttribute('data-type', 'success')
  await page.getByRole('button', { name: 'Undo' }).click()
  const restored = alert.filter({ hasText: `${name} restored` })
  await expect(restored).toHaveAttribute('data-type', 'success')
  await expect(restored).toContainText('Create a credential to put it back on the list.')
  await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible()
  await expect(bin).toBeHidden()

  await deleteServer(page, public_id, name)
  // At the limit, the row says so.
  const admin = await signInAs('admin')
  await send(admin, `PATCH /api/admin/users/${await idOf(page)}`, { max_masterlist_tokens: 0 })
  await bin.getByRole('button', { name: `Restore ${name}` }).click()
  await expect(bin.getByText('You have reached your limit of 0 servers.')).toBeVisible()
  await send(admin, `PATCH /api/admin/users/${await idOf(page)}`, { max_masterlist_tokens: 2 })
  await bin.getByRole('button', { name: `Restore ${name}` }).press('Enter')
  await expect(page.getByText(`${name} restored`)).toBeVisible()
  await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Servers', exact: true })).toBeFocused()
  expect(await send<DeletedServer[]>(page, 'GET /api/users/tokens/deleted')).toEqual([])
  await openWithStream(page, `/servers/${public_id}`)
  await expect(page.getByRole('button', { name: 'Create credential' }).first()).toBeVisible()
})

test('hiding, tags and a revoked manager can be undone, and a stale undo says that something changed', async ({
  page,
  signInAs,
  username,
  allowBrowserError,
}) => {
  test.slow()
  allowBrowserError(CONFLICT)
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Reverted ${username}`, tags: ['one'] })
  await openWithStream(page, `/servers/${public_id}?tab=listing`)
  await page.getByRole('switch', { name: 'Show on the public list' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(async () => (await serverOf(page, public_id)).visible).toBe(false)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone')).toBeVisible()
  expect((await serverOf(page, public_id)).visible).toBe(true)
  await expect(page.getByRole('switch', { name: 'Show on the public list' })).toBeChecked()

  await page.getByRole('button', { name: 'Remove tag one' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(async () => (await serverOf(page, public_id)).tags).toEqual([])
  await send(page, `PATCH /api/users/tokens/${public_id}`, { tags: ['other'] })
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect(page.getByText('It has changed since then, so nothing was undone.')).toBeVisible()
  expect((await serverOf(page, public_id)).tags).toEqual(['other'])

  const manager = await signInAs(`${username}_helper`)
  await grantManager(page, manager, 'EDIT_DETAILS', 'RESET_ADDRESS')
  await openWithStream(page, '/settings/managers')
  await page.getByRole('button', { name: `Remove manager ${username}_helper` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove manager' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Undone')).toBeVisible()
  const { gived_managements: grants } = await send<{ gived_managements: { permissions: string[] }[] }>(page, 'GET /api/auth/me')
  expect(grants.map(({ permissions }) => permissions)).toEqual([['EDIT_DETAILS', 'RESET_ADDRESS']])
})
