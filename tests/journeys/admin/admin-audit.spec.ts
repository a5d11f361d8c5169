/** Administrators ban a server, and the audit log records it. */
import { announce, createServer, expect, expectAccessible, expectPaper, signIn, test } from '#tests/journeys/journey.ts'
import { onDesktopAndNarrowPhone, send } from '#tests/journeys/users.ts'

test('a temporary ban by an administrator is visible to the owner and recorded in the audit log', async ({
  page,
  program,
  openPanelAs,
  username,
}) => {
  // Covers three pages in two browsers.
  test.slow()
  const owner = await openPanelAs(username)
  const name = `Harbour of ${username}`
  const { public_id: id, credential } = await createServer(owner, { name })
  await announce(program, credential)
  await expect(owner.getByRole('link', { name: 'Audit log' })).toHaveCount(0)
  await owner.goto(`/servers/${id}`)

  await signIn(page, 'admin')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill(name)
  await page.getByRole('option', { name: `${username}’s server` }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByRole('link', { name: username })).toBeVisible()
  await page.getByRole('tab', { name: 'Danger' }).click()
  await expect(page.getByRole('button', { name: 'Reissue credential…' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Ban server…' }).click()
  const dialog = page.getByRole('alertdialog')
  await dialog.getByLabel('Reason').fill('Players were misled.')
  await dialog.getByLabel('Ends').selectOption('After 1 week')
  await dialog.getByRole('button', { name: 'Ban server' }).click()
  await expect(page.getByRole('region', { name: 'Ban' })).toContainText('Players were misled.')
  await expect(page.getByRole('button', { name: 'Change ban…' })).toBeFocused()
  // The owner sees the ban and its reason, but not the administrator's name.
  await expect(owner.getByText('Players were misled.').first()).toBeVisible()
  await owner.getByRole('tab', { name: 'Activity' }).click()
  await expect(owner.getByText('An administrator banned the server')).toBeVisible()

  await page.getByRole('tab', { name: 'Activity' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'admin administrator banned the server' })).toContainText(
    'Players were misled.',
  )
  await onDesktopAndNarrowPhone(page, (variant) => expectAccessible(page, `the server's page, ${variant}`))

  await page.getByRole('link', { name: 'Open in the audit log' }).click()
  const log = page.getByRole('table', { name: 'Audit log' })
  for (const action of ['Server created', 'Address bound', 'Server banned'])
    await expect(log.getByRole('link', { name: action })).toHaveCount(1)
  await expect(log.getByRole('row')).toHaveCount(4)
  await log.getByRole('link', { name: 'Server banned' }).click()
  await expect(page.getByRole('dialog', { name: 'Server banned' })).toContainText('Players were misled.')
  await expectAccessible(page, 'a row of the log')
  // The entry's address opens it, even on another page of the log.
  const row = new URL(page.url()).searchParams.get('open') ?? ''
  await page.goto(`/admin/audit?open=${row}&as[0]=manager`)
  await expect(page.getByRole('dialog', { name: 'Server banned' })).toContainText('Players were misled.')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test("the log's filters are in its address, and new details appear without a reload", async ({ page, signInAs, username }) => {
  const owner = await signInAs(username)
  const { public_id: id } = await createServer(owner, { name: `Quay of ${username}` })
  await signIn(page, 'admin')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: /^Admin/ }).click()
  await page.getByRole('menuitem', { name: 'Audit' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Audit log' })).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.getByRole('searchbox').fill(username)
  await expect(page).toHaveURL(new RegExp(`search=${username}`))
  await page.getByRole('button', { name: 'What' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Server changed' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Server created' }).click()
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/action\[0\]=SERVER_CHANGED&action\[1\]=SERVER_CREATED/)
  const log = page.getByRole('table', { name: 'Audit log' })
  await expect(log.getByRole('row')).toHaveCount(2)
  await onDesktopAndNarrowPhone(page, (variant) => expectAccessible(page, `the audit log, ${variant}`))
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByRole('search')).toBeHidden()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  await expect(log.getByRole('row').nth(1)).toBeVisible()
  await expectPaper(page)
  await page.emulateMedia({ media: null })

  await send(owner, `PATCH /api/users/tokens/${id}`, { game_mode: 'Drift' })
  // The panel polls the log: no event is sent for it.
  await expect(log.getByRole('row').nth(1)).toContainText('Game mode: none → Drift', { timeout: 20_000 })
  await page.goBack()
  await expect(page).not.toHaveURL(/SERVER_CREATED/)
})
