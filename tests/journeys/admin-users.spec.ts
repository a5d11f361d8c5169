/** Administrators manage users: search, limits, bans with a reason and an end, bulk bans, and losing the role. */
import { announce, createServer, expect, expectSound, signIn, test } from './journey.ts'
import { idOf, inEveryGuise, onDeskAndPhone, send } from './people.ts'

const RESTRICTED = 'Restricted access. You must have the ADMIN benefit to access this page.'
const GUARDED = 'This route can only be accessed by users with administrative privileges.'

test('an administrator finds a user, sets limits, bans with a reason and an end, and lifts the ban', async ({
  page: owner,
  openPanelAs,
  username,
  program,
}) => {
  test.setTimeout(180_000)
  await signIn(owner, username)
  const id = await idOf(owner)
  const server = await createServer(owner, { name: `Harbour ${username}` })
  await announce(program, server.credential)
  const isListed = async () => (await (await fetch(`${program.listUrl}/servers`)).text()).includes(server.public_id)
  await expect.poll(isListed).toBe(true)

  const admin = await openPanelAs('admin')
  await admin.goto('/admin/users?sort=username')
  await expect(admin.getByRole('table', { name: 'Users' })).toBeVisible()
  await admin.keyboard.press('/')
  await admin.keyboard.type(username)
  const row = admin.getByRole('row').filter({ hasText: username })
  await expect(row).toContainText('1 / 3')
  await expect(admin).toHaveURL(new RegExp(`search=${username}`))
  await inEveryGuise(admin, (guise) => expectSound(admin, `the list of people, ${guise}`))
  // First in the side panel, then on its own page.
  await row.getByRole('link', { name: username }).click()
  const panel = admin.getByRole('dialog', { name: username })
  await expect(panel).toContainText(`Harbour ${username}`)
  await onDeskAndPhone(admin, (guise) => expectSound(admin, `user beside the list, ${guise}`))
  await panel.getByRole('link', { name: 'Open the page' }).click()
  await expect(admin.getByRole('heading', { level: 1, name: username })).toBeVisible()
  await expect(admin.getByRole('region', { name: `Servers of ${username}` }).getByRole('link')).toHaveAttribute(
    'href',
    `/admin/servers/${server.public_id}`,
  )

  // Limits: an invalid value shows its error in place and stays; an empty field means the tier's limit.
  await admin
    .getByRole('navigation', { name: `Sections of ${username}` })
    .getByRole('link', { name: 'Settings' })
    .click()
  const limits = admin.getByRole('region', { name: 'Limits' })
  await expect(limits.getByLabel('Servers')).toHaveAttribute('placeholder', '3')
  await limits.getByLabel('Servers').fill('1001')
  await limits.getByRole('button', { name: 'Save limits' }).click()
  await expect(limits).toContainText('The maximum number of servers must be 0 to 1000.')
  await expect(limits.getByLabel('Servers')).toBeFocused()
  await limits.getByLabel('Servers').fill('0')
  await limits.getByRole('button', { name: 'Save limits' }).click()
  const about = admin.getByRole('region', { name: `About ${username}` })
  await expect(about).toContainText('1, 0 allowed')
  await limits.getByRole('button', { name: 'Use the tier’s for servers' }).click()
  await expect(limits.getByLabel('Servers')).toBeFocused()
  await limits.getByRole('button', { name: 'Save limits' }).click()
  await expect(about).toContainText('1 of 3')

  // A tier: the dialog names its changes first, and the owner has it at once.
  const tier = admin.getByRole('region', { name: 'Tier' })
  await tier.getByRole('combobox', { name: 'Effective tier' }).selectOption('GOLD')
  await tier.getByRole('button', { name: 'Override tier…' }).click()
  await admin.getByRole('button', { name: 'Override with Gold' }).click()
  await expect(about).toContainText('1 of 12')
  await expect(owner.getByText('1 of 12')).toBeVisible()

  // The ban: the owner sees its reason and end, and their servers leave the list.
  await admin.getByRole('button', { name: 'Ban…' }).click()
  const dialog = admin.getByRole('alertdialog', { name: `Ban ${username}?` })
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Selling places on the server')
  await dialog.getByLabel('Ends').selectOption('7')
  await expectSound(admin, 'a ban')
  await dialog.getByRole('button', { name: 'Ban', exact: true }).click()
  await expect(about).toContainText('Selling places on the server')
  await inEveryGuise(admin, (guise) => expectSound(admin, `user’s settings, ${guise}`))
  await expect(owner.getByRole('heading', { name: 'Sorry, your account is banned' })).toBeVisible()
  await expect(owner.getByText('Selling places on the server')).toBeVisible()
  await expect(owner.getByText(/The ban ends on/)).toBeVisible()
  await expectSound(owner, 'a ban with an end')
  await expect.poll(isListed).toBe(false)

  await admin.getByRole('button', { name: 'Lift ban…' }).click()
  await admin.getByRole('button', { name: 'Lift ban', exact: true }).click()
  await expect(about).not.toContainText('Selling places on the server')
  await expect(admin.getByRole('heading', { name: 'Ban', exact: true })).toBeFocused()
  await expect(owner.getByRole('heading', { name: 'Servers', exact: true })).toBeVisible()

  // The user's audit log lists every step, and the breadcrumb leads back to the list.
  await admin.goto(`/admin/users/${id}/activity`)
  await expect(admin.getByText('Selling places on the server').first()).toBeVisible()
  await admin.goto(`/admin/users/${id}/protection`)
  await expect(admin.getByRole('heading', { name: 'No protection issues' })).toBeVisible()
  await expectSound(admin, 'user’s issues')
  await admin.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Users' }).click()
  await expect(admin.getByRole('heading', { level: 1, name: 'Users' })).toBeVisible()
})

test('a bulk ban shows a result in each row, and failed rows stay selected', async ({ page, openPanelAs, username, expectComplaint }) => {
  expectComplaint(/400 \(Bad Request\) .*\/ban$/)
  await signIn(page, `${username}_a`)
  const refused = await idOf(page)
  await openPanelAs(`${username}_b`)
  const admin = await openPanelAs('admin')
  const address = `**/api/admin/users/${refused}/ban`
  await admin.route(address, (route) =>
    route.fulfill({ status: 400, json: { statusCode: 400, errors: ['Not this one.'], isBusiness: false } }),
  )
  // A bulk ban skips the administrator who sends it, and says so.
  await admin.goto('/admin/users?search=admin')
  await admin.getByRole('checkbox', { name: 'Select admin', exact: true }).check()
  await expect(admin.getByRole('button', { name: 'Ban…' })).toBeDisabled()
  await admin.goto(`/admin/users?search=${username}_`)
  await admin.getByLabel('Select all on this page').check()
  await expect(admin.getByRole('group', { name: 'Actions for the selection' })).toContainText('2 users selected')
  await admin.getByRole('button', { name: 'Ban…' }).click()
  await admin.getByRole('alertdialog').getByRole('textbox', { name: 'Reason' }).fill('Together')
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Ban', exact: true }).click()
  const dialog = admin.locator('dialog[open]')
  await expect(dialog.getByRole('heading')).toHaveText('1 of 2 users banned')
  await expect(dialog).toContainText('1 of 2 done, 1 failed')
  await expect(dialog.getByRole('listitem').filter({ hasText: `${username}_a` })).toContainText('Not this one.')
  await expect(dialog.getByRole('listitem').filter({ hasText: `${username}_b` })).toContainText('Done')
  await expectSound(admin, 'what became of a ban of several')
  await admin.unroute(address)
  await dialog.getByRole('button', { name: 'Retry failed' }).click()
  await expect(dialog).toContainText('1 of 1 done')
  await expect(dialog.getByRole('heading')).toHaveText('2 users banned')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(admin.getByRole('row').filter({ hasText: 'Banned' })).toHaveCount(2)
  await admin.getByRole('button', { name: 'Ban', exact: true }).click()
  await admin.getByRole('menuitemradio', { name: 'Not banned' }).click()
  await expect(admin.getByText('Nobody fits')).toBeVisible()
  await expect(admin).toHaveURL(/banned=false/)
})

test('administrators see changes to their own account at once, and see when they lose the role', async ({
  page: other,
  openPanelAs,
  username,
  expectComplaint,
}) => {
  expectComplaint(/administrative privileges/)
  expectComplaint(/403 \(Forbidden\) .*\/api\/admin\//)
  const admin = await openPanelAs('admin')
  await signIn(other, username)
  const id = await idOf(other)
  await send(admin, `PUT /api/admin/users/${id}/benefits/ADMIN`)
  await other.goto(`/admin/users/${id}/settings`)
  await expect(other.getByText('This is you')).toBeVisible()
  await other.getByRole('region', { name: 'Limits' }).getByLabel('Servers').fill('9')
  await other.getByRole('button', { name: 'Save limits' }).click()
  await expect(other.getByText('Limits saved')).toBeVisible()
  await other.getByRole('link', { name: 'Servers', exact: true }).first().click()
  await expect(other.getByText('0 of 9')).toBeVisible()

  await other.goBack()
  await expect(other.getByRole('region', { name: 'Limits' })).toBeVisible()
  await send(admin, `DELETE /api/admin/users/${id}/benefits/ADMIN`)
  await expect(other.getByText(RESTRICTED, { exact: true })).toBeVisible()
  await other.reload()
  await expect(other.getByText(GUARDED, { exact: true })).toBeVisible()
})
