/** The status of the installation, for administrators. */
import { errorResponse, expect, expectAccessible, startSession, test } from '#tests/journeys/journey.ts'
import { onDesktopAndNarrowPhone } from '#tests/journeys/users.ts'
import { statusInTrouble } from './status-in-trouble.ts'

test('an administrator sees what is fine and what is not, and others see nothing', async ({
  page: admin,
  signInAs,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/can only be accessed by users with administrative privileges/)
  const owner = await signInAs(username)
  await owner.goto('/admin/status')
  await expect(owner.getByText('This route can only be accessed by users with administrative privileges.')).toBeVisible()

  await startSession(admin, 'admin')
  await admin.goto('/servers')
  await admin.keyboard.press('Control+k')
  await admin.getByRole('combobox').fill('installation status')
  await admin.keyboard.press('Enter')
  await expect(admin.getByRole('heading', { level: 1, name: 'Installation status' })).toBeVisible()
  await expect(admin).toHaveTitle(/Installation status · Muster$/)
  const summary = admin.locator('#main').getByRole('status')
  await expect(summary).toContainText('Watch')
  await expect(admin.getByRole('region', { name: 'Daily backup' })).toContainText('Set BACKUP_DIR to a folder on another disk.')
  await expect(admin.getByRole('region', { name: 'Database' })).toContainText(/\d ms.*Response time|Response time.*\d ms/)
  await expect(admin.getByRole('region', { name: 'Nodes' })).toContainText('This node')
  await expect(admin.getByRole('link', { name: 'Docs: Back up and restore' }).first()).toHaveAttribute(
    'href',
    'https://github.com/muster/muster/blob/main/docs/operating.md#back-up-and-restore',
  )
  const jobs = admin.getByRole('region', { name: 'Jobs' })
  await jobs.getByText(/^All jobs/).press('Enter')
  await expect(jobs.getByRole('row', { name: /watch-servers/ })).toContainText('ms')
  await onDesktopAndNarrowPhone(admin, (variant) => expectAccessible(admin, `the status, ${variant}`))
})

test('what needs the administrator is named first and leads to its part, and the page refreshes itself', async ({ page: admin }) => {
  await startSession(admin, 'admin')
  let isInTrouble = true
  await admin.route('**/api/admin/status', async (route) => {
    if (isInTrouble) await route.fulfill({ json: { data: statusInTrouble(Date.now()) } })
    else await route.fallback()
  })
  await admin.goto('/admin/status')
  const summary = admin.locator('#main').getByRole('status')
  const acts = ['Database', 'Daily backup', 'Deletions', 'Nodes', 'Jobs']
  const watches = ['Storage', 'Certificates', 'Signed list', 'Webhook deliveries']
  await expect(summary.getByRole('link')).toHaveText(acts.concat(watches))
  await onDesktopAndNarrowPhone(admin, (variant) => expectAccessible(admin, `a status in trouble, ${variant}`))
  await summary.getByRole('link', { name: 'Jobs' }).press('Enter')
  await expect(admin.getByText('ENOSPC: no space left on device')).toBeInViewport()
  isInTrouble = false
  await expect(summary.getByRole('link')).toHaveText(['Daily backup'])
  await expect(admin.getByRole('region', { name: 'Jobs' })).toContainText('No job has a problem.')
})

test('while the database does not answer, the page says so and keeps what it knew', async ({ page: admin, allowBrowserError }) => {
  allowBrowserError(/503 \(Service Unavailable\)/)
  await startSession(admin, 'admin')
  await admin.goto('/admin/status')
  await expect(admin.getByRole('region', { name: 'Database' })).toBeVisible()
  // It hangs, as with a database that hangs.
  await admin.route('**/api/admin/status', () => undefined)
  await admin.route('**/readyz', (route) => route.fulfill({ status: 503, body: 'database does not respond\n' }))
  await expect(admin.getByRole('alert')).toContainText('The database does not answer. What you see is from')
  await expect(admin.getByRole('region', { name: 'Database' })).toBeVisible()
  await admin.unroute('**/api/admin/status')
  // The database is back, but this call is not.
  await admin.route('**/api/admin/status', (route) => route.fulfill(errorResponse(503, 'The database cannot be reached right now.')))
  await admin.unroute('**/readyz')
  await expect(admin.getByRole('alert')).toHaveText(/The database cannot be reached right now.*Try again/)
})
