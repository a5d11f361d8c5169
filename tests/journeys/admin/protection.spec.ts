/** Protection issues: administrators moderate them, and the owner sees each step in another browser. */
import { announce, createServer, expect, expectAccessible, isListed, openWithStream, startSession, test } from '#tests/journeys/journey.ts'
import { createVerifiedServer, idOf, onDesktopAndPhone, onDesktopAndNarrowPhone, send } from '#tests/journeys/users.ts'

test('an issue is acknowledged, given a consequence, replied to, resolved and reopened, and is not found by another user', async ({
  page: admin,
  signInAs,
  username,
  program,
  allowBrowserError,
}) => {
  test.setTimeout(180_000)
  allowBrowserError(/404 \(Not Found\) .*\/protection-issues\//)
  await startSession(admin, 'admin')
  await createVerifiedServer(admin, `Lighthouse ${username}`)
  const owner = await signInAs(username)
  await openWithStream(owner, '/servers')
  const name = `Lighthouse ${username} Official`
  const server = await createServer(owner, { name })
  await announce(program, server.credential)
  await expect.poll(() => isListed(program, server.public_id)).toBe(true)

  // The owner gets a toast, and a notice above their servers.
  await expect(owner.getByText(`New issue on ${name}`)).toBeVisible({ timeout: 15_000 })
  const notice = owner.getByRole('link', { name: `1 issue needs your attention Impersonation: ${name}` })
  await expectAccessible(owner, 'the list of servers with an issue')
  await notice.click()
  await expect(owner).toHaveURL(/\/inbox\?item=/)
  await owner.getByRole('link', { name: `Issue opened · ${name}` }).click()
  await expect(owner.getByRole('heading', { level: 1, name: 'Impersonation' })).toBeVisible()
  await expect(owner.getByRole('region', { name: 'Consequence' })).toContainText('If this continues: Not ranked')
  await onDesktopAndPhone(owner, (variant) => expectAccessible(owner, `an issue, ${variant}`))
  await owner.getByRole('button', { name: 'Acknowledge issue' }).click()
  await expect(owner.getByRole('region', { name: 'Timeline' })).toContainText('You acknowledged the issue')
  await expect(owner.getByRole('heading', { level: 1 })).toBeFocused()

  // On the server's page, the issue is one line.
  const issuePath = owner.url()
  await owner.setViewportSize({ width: 390, height: 844 })
  await owner.goto(`/servers/${server.public_id}?tab=announces`)
  const line = owner.getByRole('link', { name: '1 issue needs your attention Impersonation' })
  await expect(line).toBeInViewport({ ratio: 1 })
  expect((await line.boundingBox())?.height).toBeLessThan(50)
  await owner.setViewportSize({ width: 1440, height: 900 })
  await openWithStream(owner, issuePath)

  // The queue shows active issues and is searched by owner. The issue is moderated in the side panel.
  await admin.goto('/admin/protection-issues')
  await expect(admin.getByRole('button', { name: 'Status: Open or Acknowledged' })).toBeVisible()
  await admin.keyboard.press('/')
  await admin.keyboard.type(username)
  await expect(admin).toHaveURL(`/admin/protection-issues?search=${username}`)
  await expect(admin.locator('tbody [data-row-link]')).toHaveCount(1)
  await onDesktopAndNarrowPhone(admin, (variant) => expectAccessible(admin, `the queue, ${variant}`))
  await admin.locator('tbody [data-row-link]').click()
  const panel = admin.getByRole('dialog', { name: 'Impersonation' })
  await expect(panel).toContainText(`is easily confused with another owner's verified server “Lighthouse ${username}”`)
  await expectAccessible(admin, 'an issue in the side panel')
  await panel.getByRole('button', { name: 'More' }).click()
  await admin.getByRole('menuitem', { name: 'Change consequence…' }).click()
  const dialog = admin.locator('[role=alertdialog], [role=dialog]:not([data-side-panel])')
  await dialog.getByRole('radio', { name: 'Not listed' }).check()
  await dialog.getByLabel('Reply to owner').fill('Please rename it.')
  await dialog.getByLabel('Note for administrators').fill('The third copy this week.')
  await expectAccessible(admin, 'changing the consequence')
  await dialog.getByRole('button', { name: 'Change consequence' }).click()
  await expect(panel.locator('[data-consequence=UNLISTED]')).toBeVisible()
  await expect(panel.getByRole('button', { name: 'More' })).toBeFocused()
  await expect.poll(() => isListed(program, server.public_id)).toBe(false)

  // The owner's page shows the consequence and the reply, but neither the administrator's name nor the note.
  const timeline = owner.getByRole('region', { name: 'Timeline' })
  await expect(timeline).toContainText('Please rename it.')
  await expect(timeline).toContainText('An administrator set the consequence to “Not listed”')
  await expect(owner.getByText('The third copy this week.')).toBeHidden()
  await expect(owner.getByText(`An administrator replied about ${name}`)).toBeVisible()
  await owner.getByRole('button', { name: 'Reply', exact: true }).click()
  await expect(owner.getByLabel('Reply', { exact: true })).toBeFocused()
  await owner.keyboard.type('It was a joke.\nI rename it today.')
  // The draft survives a visit to another page.
  await owner.goto(`/servers/${server.public_id}`)
  await expect(owner.getByRole('region', { name: 'Why isn’t this server listed?' })).toContainText(
    'A protection issue keeps the server off',
  )
  // The server's page links to the issue only once.
  await expect(owner.getByRole('link', { name: 'Impersonation' })).toHaveCount(0)
  await expectAccessible(owner, 'a server that an issue unlists')
  await owner.getByRole('link', { name: 'View issue' }).click()
  await expect(owner.getByLabel('Reply', { exact: true })).toHaveValue('It was a joke.\nI rename it today.')
  await owner.getByRole('button', { name: 'Send reply' }).click()
  await expect(timeline).toContainText('I rename it today.')
  await expect(owner.getByLabel('Reply', { exact: true })).toHaveValue('')

  // The administrator's panel polls for the owner's reply. Once the issue is resolved, the server is listed again.
  await expect(panel).toContainText('I rename it today.', { timeout: 15_000 })
  await panel.getByRole('link', { name: 'Open the full issue' }).click()
  await expect(admin.getByRole('region', { name: 'Timeline' })).toContainText('I rename it today.')
  await expectAccessible(admin, 'an issue in the admin area')
  await admin.getByRole('button', { name: 'Resolve issue…' }).click()
  await dialog.getByRole('button', { name: 'Resolve issue', exact: true }).click()
  await expect(admin.getByRole('button', { name: 'Reopen issue…' })).toBeVisible()
  await announce(program, server.credential)
  await expect.poll(() => isListed(program, server.public_id)).toBe(true)
  await expect(owner.getByRole('region', { name: 'Consequence' })).toContainText('This issue is closed')
  await admin.getByRole('button', { name: 'More' }).click()
  await admin.getByRole('menuitem', { name: 'Ban server…' }).click()
  await expect(admin.getByRole('button', { name: 'Ban server…' })).toBeVisible()

  const { id } = (await send<{ id: string }[]>(owner, `GET /api/users/${await idOf(owner)}/protection-issues`))[0] ?? { id: '' }
  // The issue's address opens it in the side panel, even on another page of the queue.
  await admin.goto(`/admin/protection-issues?open=${id}`)
  await expect(panel).toContainText('I rename it today.')
  await panel.getByRole('button', { name: 'Reopen issue…' }).click()
  await dialog.getByRole('button', { name: 'Reopen issue', exact: true }).click()
  // The button disappears, so the focus moves to the side panel's heading.
  await expect(panel.getByRole('heading', { name: 'Impersonation' })).toBeFocused()
  await owner.goto('/protection-issues')
  await expect(owner.getByRole('region', { name: 'Open issues' }).getByRole('listitem')).toHaveCount(1)
  await expectAccessible(owner, 'the list of issues')
  const stranger = await signInAs(`${username}_else`)
  await stranger.goto(`/protection-issues/${id}`)
  await expect(stranger.getByText('NotFoundError')).toBeVisible()
})

test('issues are dismissed in bulk', async ({ page: admin, program, signInAs, username }) => {
  await startSession(admin, 'admin')
  await createVerifiedServer(admin, `Mariner ${username}`)
  const owner = await signInAs(username)
  const { public_id, credential } = await createServer(owner, { name: `Marriner ${username}` })
  await createServer(owner, { name: `Mariner ${username} Official` })
  await announce(program, credential)
  await send(admin, `POST /api/public/servers/${public_id}/reports`, { reason: 'other' })
  const issues = () => send<{ status: string }[]>(admin, `GET /api/users/${ownerId}/protection-issues`)
  const ownerId = await idOf(owner)
  await expect.poll(async () => (await issues()).length, { timeout: 15_000 }).toBe(3)
  await admin.goto(`/admin/protection-issues?user_id=${ownerId}`)
  await admin.getByLabel('Select all on this page').check()
  await admin.getByRole('group', { name: 'Actions for the selection' }).getByRole('button', { name: 'Dismiss issues…' }).click()
  const dialog = admin.locator('[role=alertdialog], [role=dialog]:not([data-side-panel])')
  await expect(dialog).toContainText('Player reports count as wrong, and another report opens a new issue.')
  await dialog.getByLabel('Reply to owner').fill('Your own joke. Fine.')
  await expectAccessible(admin, 'the bulk dismissal')
  await dialog.getByRole('button', { name: 'Dismiss issue', exact: true }).click()
  await expect(dialog).toContainText('3 of 3 done')
  await expect(admin.getByRole('dialog', { name: '3 issues dismissed' })).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(admin.getByRole('heading', { name: 'No issues match' })).toBeVisible()
  await expect(admin.getByRole('group', { name: 'Actions for the selection' })).toBeHidden()
  expect((await issues()).map(({ status }) => status)).toEqual(['DISMISSED', 'DISMISSED', 'DISMISSED'])
})

test('an issue opened during the first read of issues appears after it', async ({ page: admin, signInAs, username }) => {
  await startSession(admin, 'admin')
  await createVerifiedServer(admin, `Harbour ${username}`)
  const owner = await signInAs(username)
  await createServer(owner, { name: `Quiet ${username}` })
  const released = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  await owner.route('**/protection-issues', async (route) => {
    const response = await route.fetch()
    answered.resolve()
    await released.promise
    await route.fulfill({ response })
  })
  await owner.goto('/servers', { waitUntil: 'commit' })
  await answered.promise
  await createServer(owner, { name: `Harbour ${username} Official` })
  const ownerId = await idOf(owner)
  await expect.poll(async () => (await send<unknown[]>(owner, `GET /api/users/${ownerId}/protection-issues`)).length).toBe(1)
  released.resolve()
  await expect(owner.getByRole('link', { name: '1 issue needs your attention' })).toBeVisible()
})

test('reports that their owner does not see yet are upheld and the server is banned, in one form with one reason', async ({
  page: admin,
  program,
  signInAs,
  username,
}) => {
  await startSession(admin, 'admin')
  const owner = await signInAs(username)
  const { public_id: id, credential } = await createServer(owner, { name: `Reported ${username}` })
  await announce(program, credential)
  await expect.poll(() => isListed(program, id)).toBe(true)
  await send(admin, `POST /api/public/servers/${id}/reports`, { reason: 'fake_players' })
  const ownerId = await idOf(owner)
  const issues = (page: typeof owner) => send<{ id: string; status: string }[]>(page, `GET /api/users/${ownerId}/protection-issues`)
  expect(await issues(owner)).toEqual([])
  const [issue] = await issues(admin)
  await admin.goto(`/admin/protection-issues/${issue?.id}/users/${ownerId}`)
  await expect(admin.getByRole('region', { name: 'Consequence' })).toContainText('The owner can’t see this issue yet.')
  await admin.getByRole('button', { name: 'Uphold reports…' }).click()
  const dialog = admin.locator('[role=alertdialog], [role=dialog]:not([data-side-panel])')
  await dialog.getByLabel('Reason').fill('The players are not real.')
  await expect(dialog.getByLabel('Ends')).toBeHidden()
  await dialog.getByRole('checkbox', { name: 'Also ban the server' }).check()
  await dialog.getByLabel('Ends').selectOption('7')
  await onDesktopAndNarrowPhone(admin, (variant) => expectAccessible(admin, `upholding reports, ${variant}`))
  await dialog.getByRole('button', { name: 'Uphold and ban' }).click()
  await expect(admin.getByRole('button', { name: 'Reopen issue…' })).toBeVisible()
  await expect(admin.getByRole('region', { name: 'Timeline' })).toContainText('The server was banned.')
  await expect(admin.getByRole('region', { name: 'Reports' })).toContainText('Upheld')
  await owner.goto(`/servers/${id}`)
  await expect(owner.getByText('The players are not real.').first()).toBeVisible()
  expect(await issues(owner)).toMatchObject([{ status: 'RESOLVED' }])
})
