/** Administrators manage users: search, limits, temporary bans, bulk bans, and the loss of the role. */
import { readFileSync } from 'node:fs'
import {
  announce,
  createServer,
  errorResponse,
  expect,
  expectAccessible,
  isListed,
  signIn,
  startSession,
  test,
} from '#tests/journeys/journey.ts'
import { idOf, onDesktopAndPhone, onDesktopAndNarrowPhone, send } from '#tests/journeys/users.ts'

const RESTRICTED = 'Restricted access. You must have the ADMIN benefit to access this page.'
const GUARDED = 'This route can only be accessed by users with administrative privileges.'

test('an administrator finds a user, sets limits and a tier, bans them for a week, and lifts the ban', async ({
  page: owner,
  signInAs,
  username,
  program,
}) => {
  test.setTimeout(180_000)
  await signIn(owner, username)
  const id = await idOf(owner)
  const server = await createServer(owner, { name: `Harbour ${username}` })
  await announce(program, server.credential)
  await expect.poll(() => isListed(program, server.public_id)).toBe(true)

  const admin = await signInAs('admin')
  await admin.goto('/admin/users?sort=username')
  await expect(admin.getByRole('table', { name: 'Users' })).toBeVisible()
  await admin.keyboard.press('/')
  await admin.keyboard.type(username)
  const row = admin.getByRole('row').filter({ hasText: username })
  await expect(row).toContainText('1 / 3')
  await expect(admin).toHaveURL(new RegExp(`search=${username}`))
  // The header and the user.
  await expect(admin.getByRole('row')).toHaveCount(2)
  const [file] = await Promise.all([admin.waitForEvent('download'), admin.getByRole('button', { name: 'Download page as CSV' }).click()])
  expect(readFileSync(await file.path(), 'utf8')).toMatch(new RegExp(`^\\uFEFFid,discord_id,username,.*\r\n${id},\\d+,${username},`))
  await onDesktopAndPhone(admin, (variant) => expectAccessible(admin, `the list of users, ${variant}`))
  // First in the side panel, then on its own page.
  await row.getByRole('link', { name: username }).click()
  const panel = admin.getByRole('dialog', { name: username })
  await expect(panel).toContainText(`Harbour ${username}`)
  await onDesktopAndNarrowPhone(admin, (variant) => expectAccessible(admin, `a user in the side panel, ${variant}`))
  await panel.getByRole('link', { name: 'Open user' }).click()
  await expect(admin.getByRole('heading', { level: 1, name: username })).toBeVisible()
  await expect(admin.getByRole('table', { name: `${username}’s servers` }).getByRole('link')).toHaveAttribute(
    'href',
    `/admin/servers/${server.public_id}`,
  )

  // An invalid limit shows its error at the field; an empty field means the tier's limit.
  await admin
    .getByRole('navigation', { name: `Sections of ${username}` })
    .getByRole('link', { name: 'Settings' })
    .click()
  const limits = admin.getByRole('region', { name: 'Limits' })
  await expect(limits.getByLabel('Servers')).toHaveAttribute('placeholder', '3')
  await limits.getByLabel('Servers').fill('1001')
  await limits.getByRole('button', { name: 'Save limits' }).click()
  await expect(limits).toContainText('Enter a whole number from 0 to 1000, or leave blank for the tier default.')
  await expect(limits.getByLabel('Servers')).toBeFocused()
  await limits.getByLabel('Servers').fill('0')
  await limits.getByRole('button', { name: 'Save limits' }).click()
  const about = admin.getByRole('region', { name: `About ${username}` })
  await expect(about).toContainText('1, 0 allowed')
  await limits.getByRole('button', { name: 'Use tier default for servers' }).click()
  await expect(limits.getByLabel('Servers')).toBeFocused()
  await limits.getByRole('button', { name: 'Save limits' }).click()
  await expect(about).toContainText('1 of 3')

  // The owner's open page shows the new tier.
  const tier = admin.getByRole('region', { name: 'Tier' })
  await tier.getByRole('combobox', { name: 'Effective tier' }).selectOption('GOLD')
  await tier.getByRole('button', { name: 'Override tier…' }).click()
  await admin.getByRole('button', { name: 'Override with Gold' }).click()
  await expect(about).toContainText('1 of 12')
  await expect(owner.getByText('1 of 12')).toBeVisible()

  // The ban: the owner sees its reason and end, and their servers leave the list.
  await admin.getByRole('button', { name: 'Ban user…' }).click()
  const dialog = admin.getByRole('alertdialog', { name: `Ban ${username}?` })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Selling places on the server')
  await dialog.getByLabel('Ends').selectOption('7')
  await expectAccessible(admin, 'a ban')
  await dialog.getByRole('button', { name: 'Ban user' }).click()
  await expect(about).toContainText('Selling places on the server')
  await onDesktopAndPhone(admin, (variant) => expectAccessible(admin, `the settings of a user, ${variant}`))
  await expect(owner.getByRole('heading', { name: 'Sorry, your account is banned' })).toBeVisible()
  await expect(owner.getByText('Selling places on the server')).toBeVisible()
  await expect(owner.getByText(/The ban ends on/)).toBeVisible()
  await expectAccessible(owner, 'a ban with an end')
  await expect.poll(() => isListed(program, server.public_id)).toBe(false)

  await admin.getByRole('button', { name: 'Lift ban…' }).click()
  await admin.getByRole('button', { name: 'Lift ban', exact: true }).click()
  await expect(about).not.toContainText('Selling places on the server')
  await expect(admin.getByRole('heading', { name: 'Ban', exact: true })).toBeFocused()
  await expect(owner.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()

  // The user's activity lists the ban, and the breadcrumb leads back to the list.
  await admin.goto(`/admin/users/${id}/activity`)
  await expect(admin.getByText('Selling places on the server').first()).toBeVisible()
  await admin.goto(`/admin/users/${id}/protection`)
  await expect(admin.getByRole('heading', { name: 'No protection issues' })).toBeVisible()
  await expectAccessible(admin, 'the issues of a user')
  await admin.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Users' }).click()
  await expect(admin.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
})

test('a bulk ban shows a result for each user, and failed bans can be retried', async ({ page, signInAs, username, allowBrowserError }) => {
  allowBrowserError(/400 \(Bad Request\) .*\/ban$/)
  await startSession(page, `${username}_a`)
  const failedId = await idOf(page)
  await signInAs(`${username}_b`)
  const admin = await signInAs('admin')
  const address = `**/api/admin/users/${failedId}/ban`
  await admin.route(address, (route) => route.fulfill(errorResponse(400, 'Not this one.')))
  // Administrators cannot ban themselves in bulk.
  await admin.goto('/admin/users?search=admin')
  await admin.getByRole('checkbox', { name: 'Select admin', exact: true }).check()
  await expect(admin.getByRole('button', { name: 'Ban users…' })).toBeDisabled()
  await admin.goto(`/admin/users?search=${username}_`)
  await admin.getByLabel('Select all on this page').check()
  await expect(admin.getByRole('group', { name: 'Actions for the selection' })).toContainText('2 users selected')
  await admin.getByRole('button', { name: 'Ban users…' }).click()
  await admin.getByRole('alertdialog').getByRole('textbox', { name: 'Reason' }).fill('Together')
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Ban 2 users' }).click()
  const dialog = admin.locator('[role=alertdialog], [role=dialog]:not([data-side-panel])')
  await expect(dialog.getByRole('heading')).toHaveText('1 of 2 users banned')
  await expect(dialog).toContainText('1 of 2 done, 1 failed')
  await expect(dialog.getByRole('listitem').filter({ hasText: `${username}_a` })).toContainText('Not this one.')
  await expect(dialog.getByRole('listitem').filter({ hasText: `${username}_b` })).toContainText('Done')
  await expectAccessible(admin, 'the results of a bulk ban')
  await admin.unroute(address)
  await dialog.getByRole('button', { name: 'Retry failed' }).click()
  await expect(dialog).toContainText('1 of 1 done')
  await expect(dialog.getByRole('heading')).toHaveText('2 users banned')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(admin.getByRole('row').filter({ hasText: 'Banned' })).toHaveCount(2)
  await admin.getByRole('button', { name: 'Ban', exact: true }).click()
  await admin.getByRole('menuitemradio', { name: 'Not banned' }).click()
  await expect(admin.getByText('No users match')).toBeVisible()
  await expect(admin).toHaveURL(/banned=false/)
})

test('administrators see changes to their own account, and lose access with the role', async ({
  page: secondAdmin,
  signInAs,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/administrative privileges/)
  allowBrowserError(/403 \(Forbidden\) .*\/api\/admin\//)
  const admin = await signInAs('admin')
  await startSession(secondAdmin, username)
  const id = await idOf(secondAdmin)
  await send(admin, `PUT /api/admin/users/${id}/benefits/ADMIN`)
  await secondAdmin.goto(`/admin/users/${id}/settings`)
  await expect(secondAdmin.getByText('This is you')).toBeVisible()
  await secondAdmin.getByRole('region', { name: 'Limits' }).getByLabel('Servers').fill('9')
  await secondAdmin.getByRole('button', { name: 'Save limits' }).click()
  await expect(secondAdmin.getByText('Limits saved')).toBeVisible()
  await secondAdmin.getByRole('link', { name: 'Servers', exact: true }).first().click()
  await expect(secondAdmin.getByRole('heading', { name: 'Servers', level: 1 })).toBeVisible()
  await expect(secondAdmin.getByText('0 of 9')).toBeVisible()

  await secondAdmin.goBack()
  await expect(secondAdmin.getByRole('region', { name: 'Limits' })).toBeVisible()
  await send(admin, `DELETE /api/admin/users/${id}/benefits/ADMIN`)
  await expect(secondAdmin.getByText(RESTRICTED, { exact: true })).toBeVisible()
  await secondAdmin.reload()
  await expect(secondAdmin.getByText(GUARDED, { exact: true })).toBeVisible()
})
