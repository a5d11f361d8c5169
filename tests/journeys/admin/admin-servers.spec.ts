/** The administrators' list of servers: search, filters, sorting, pages, keyboard shortcuts and bulk bans. */
import type { Page } from '@playwright/test'
import { announce, createServer, errorResponse, expect, expectAccessible, startSession, test } from '#tests/journeys/journey.ts'
import { idOf, onDesktopAndPhone, onDesktopAndNarrowPhone, send } from '#tests/journeys/users.ts'

/** Creates servers of one owner, with names that no other owner uses. The first is the oldest. */
async function createServers(
  admin: Page,
  owner: Page,
  username: string,
  count: number,
): Promise<{ public_id: string; credential: string }[]> {
  await send(admin, `PATCH /api/admin/users/${await idOf(owner)}`, { max_masterlist_tokens: count })
  const created = []
  for (let number = 1; number <= count; number += 1) {
    created.push(
      await createServer(owner, { name: `Row ${String(number).padStart(2, '0')} ${username}`, tags: [number % 2 ? 'odd' : 'even'] }),
    )
  }
  return created
}

const names = (page: Page) => page.locator('tbody [data-row-link]')

test('search, filters, sorting, page and open row are in the address, and shortcuts move between rows', async ({
  page: admin,
  signInAs,
  program,
  username,
}) => {
  test.slow()
  await startSession(admin, 'admin')
  const owner = await signInAs(username)
  const servers = await createServers(admin, owner, username, 27)
  const [first] = servers
  await announce(program, first?.credential ?? '', { playersCount: 200 })
  await admin.goto('/admin/servers?per_page=25')

  // The search is debounced by 250 ms, and Back returns to the previous page.
  await expect(names(admin)).toHaveCount(25)
  await admin.keyboard.press('/')
  await expect(admin.getByRole('searchbox', { name: 'Search all servers' })).toBeFocused()
  await admin.keyboard.type(username)
  await expect(admin).toHaveURL(`/admin/servers?per_page=25&search=${username}`)
  await expect(admin.getByText(`1–25 of 27 servers`)).toBeVisible()
  await expect(names(admin).first()).toHaveText(`Row 27 ${username}`)
  await admin.getByRole('button', { name: 'Next page' }).click()
  await expect(names(admin)).toHaveText([`Row 02 ${username}`, `Row 01 ${username}`])
  await expect(admin).toHaveURL(new RegExp(`page=2.*&after=${servers[2]?.public_id}$`))
  // New rows do not move the rows of this page; the total updates automatically.
  await send(admin, `PATCH /api/admin/users/${await idOf(owner)}`, { max_masterlist_tokens: 28 })
  await createServer(owner, { name: `Row 28 ${username}` })
  await expect(admin.getByText('26–27 of 28 servers')).toBeVisible({ timeout: 20_000 })
  await expect(names(admin)).toHaveText([`Row 02 ${username}`, `Row 01 ${username}`])
  await expect(admin.getByRole('img', { name: /^Unconfirmed/ })).toBeVisible()
  await admin.goBack()
  await expect(names(admin).first()).toHaveText(`Row 28 ${username}`)

  // Sorts by name, filters by status, and drops invalid parameters from the address.
  await admin.getByRole('button', { name: 'Server', exact: true }).click()
  await expect(admin.getByRole('columnheader', { name: 'Server' })).toHaveAttribute('aria-sort', 'ascending')
  await expect(names(admin).first()).toHaveText(`Row 01 ${username}`)
  await admin.getByRole('button', { name: 'Status', exact: true }).click()
  await admin.getByRole('menuitemcheckbox', { name: 'Online' }).click()
  await admin.keyboard.press('Escape')
  await expect(admin).toHaveURL(/status\[0\]=online/)
  await expect(names(admin)).toHaveText([`Row 01 ${username}`])
  await admin.goto(`/admin/servers?search=${username}&tags[0]=odd&sort=name&page=9&order=up&status[0]=nonsense`)
  await expect(admin).toHaveURL(`/admin/servers?search=${username}&sort=name&tags[0]=odd`)
  await expect(names(admin)).toHaveCount(14)

  // The address names the row in the side panel, and closing the panel restores the focus.
  await admin.keyboard.press('j')
  await admin.keyboard.press('j')
  await expect(names(admin).nth(1)).toBeFocused()
  await admin.keyboard.press('Enter')
  const panel = admin.getByRole('dialog')
  await expect(panel.getByRole('heading', { name: `Row 03 ${username}` })).toBeFocused()
  await expect(admin).toHaveURL(new RegExp(`&open=${servers[2]?.public_id}`))
  await admin.keyboard.press('j')
  await expect(panel.getByRole('heading', { name: `Row 05 ${username}` })).toBeFocused()
  await onDesktopAndNarrowPhone(admin, (variant) => expectAccessible(admin, `an open server, ${variant}`))
  const { x } = (await panel.boundingBox()) ?? { x: 0 }
  const pages = await admin.getByRole('navigation', { name: 'Pages' }).boundingBox()
  expect((pages?.x ?? 0) + (pages?.width ?? 0)).toBeLessThanOrEqual(x)
  await admin.keyboard.press('Escape')
  await expect(panel).toBeHidden()
  await expect(names(admin).nth(2)).toBeFocused()
  await admin.keyboard.press('x')
  // A pressed checkbox keeps the focus, and the keys continue from its row.
  await admin.getByRole('checkbox', { name: `Select Row 01 ${username}` }).click()
  await admin.keyboard.press('j')
  await expect(names(admin).nth(1)).toBeFocused()
  await onDesktopAndPhone(admin, (variant) => expectAccessible(admin, `the list of servers, ${variant}`))
})

test('a bulk ban shows a result for each server, and failed rows stay selected', async ({
  page: admin,
  signInAs,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/404 \(Not Found\)/)
  await startSession(admin, 'admin')
  const owner = await signInAs(username)
  const servers = await createServers(admin, owner, username, 5)
  await admin.goto(`/admin/servers?search=${username}`)
  await expect(names(admin)).toHaveCount(5)
  await admin.getByRole('checkbox', { name: `Select Row 05 ${username}` }).click()
  await admin.getByRole('checkbox', { name: `Select Row 02 ${username}` }).click({ modifiers: ['Shift'] })
  const bar = admin.getByRole('group', { name: 'Actions for the selection' })
  await expect(bar.getByText('4 servers selected')).toBeVisible()
  await bar.getByRole('button', { name: 'Ban servers…' }).click()
  const dialog = admin.locator('[role=alertdialog], [role=dialog]:not([data-side-panel])')
  await dialog.getByLabel('Reason').fill('Copied names.')
  await dialog.getByLabel('Ends').selectOption({ label: 'After 1 week' })
  await expectAccessible(admin, 'the bulk ban')
  // One server is deleted for good before the ban reaches it.
  const deleted = servers[2]?.public_id
  await send(owner, `DELETE /api/users/tokens/${deleted}`)
  await admin.route(`**/api/admin/tokens/${deleted}/ban`, (route) => route.fulfill(errorResponse(404, 'There is no such server.')))
  await dialog.getByRole('button', { name: 'Ban 4 servers' }).click()
  await expect(dialog.getByText('3 of 4 done, 1 failed')).toBeVisible()
  await expect(dialog.getByRole('heading')).toHaveText('3 of 4 servers banned')
  await expect(dialog.getByRole('listitem').filter({ hasText: `Row 03 ${username}` })).toContainText('There is no such server.')
  await expectAccessible(admin, 'the results')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(bar.getByText('1 server selected')).toBeVisible()
  await expect(names(admin)).toHaveCount(4)
  await expect(admin.locator('tbody [data-status=banned]')).toHaveCount(3)
  await admin.getByRole('button', { name: 'Ban', exact: true }).click()
  await admin.getByRole('menuitemradio', { name: 'Not banned' }).click()
  await expect(names(admin)).toHaveText([`Row 01 ${username}`])
  await expect(bar).toBeHidden()

  // A ban of one server from the side panel.
  await names(admin).first().click()
  await admin.getByRole('dialog').getByRole('button', { name: 'Ban server…' }).click()
  await dialog.getByRole('button', { name: 'Ban server' }).click()
  await expect(admin.getByRole('dialog').getByRole('button', { name: 'Lift ban…' })).toBeVisible()
  await expect(admin.getByRole('heading', { name: 'No servers match' })).toBeAttached()
})
