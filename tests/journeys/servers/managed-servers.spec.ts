/** Managed servers: what a manager sees and may do, and how the grant ends. */
import type { ManagedServer } from '#contract/servers/servers.ts'
import {
  announce,
  createServer,
  errorResponse,
  expect,
  expectAccessible,
  openWithStream,
  signIn,
  startSession,
  test,
  timingSensitive,
} from '#tests/journeys/journey.ts'
import { tabTo } from '#tests/journeys/tab-to.ts'
import { idOf, onDesktopAndPhone, grantManager, revokeManager, send } from '#tests/journeys/users.ts'

/** The browser logs each rejected read. */
const NOT_FOUND = /404 \(Not Found\) .*\/api\/users\/(?:management|tokens)\//

test('a grant appears without a reload, allows exactly its permissions, and a revoke closes the open form', async ({
  page: manager,
  signInAs,
  program,
  username,
  allowBrowserError,
}) => {
  test.slow()
  allowBrowserError(NOT_FOUND)
  await signIn(manager, username)
  const owner = await signInAs(`${username}_boss`)
  const { public_id, credential } = await createServer(owner, { name: `Shared ${username}` })
  await announce(program, credential)
  await expect(manager.locator('#main').getByText('Managed for')).toBeHidden()

  await grantManager(owner, manager, 'EDIT_DETAILS', 'RESET_ADDRESS')
  const group = manager.getByRole('region', { name: `Managed for ${username}_boss` })
  await expect(group).toBeVisible()
  await expect(group.getByText('Edit details')).toBeVisible()
  await expect(manager.getByText(`You now manage ${username}_boss’s servers`)).toBeVisible()
  // A toast that fades out during the check has too little contrast.
  await manager.getByRole('button', { name: 'Close notification' }).click()
  await onDesktopAndPhone(manager, (variant) => expectAccessible(manager, `the list, ${variant}`))

  await group.getByRole('link', { name: `Shared ${username}` }).click()
  await expect(manager).toHaveURL(new RegExp(`/management/[0-9a-f-]+/servers/${public_id}$`))
  await expect(manager.locator('#main').getByText('Managed for')).toBeVisible()
  await expect(manager.getByRole('group', { name: 'Connect address' })).toBeVisible()
  // The manager may reset the address, but not reissue the credential.
  await expect(manager.getByRole('button', { name: 'Reset address…' })).toBeVisible()
  await expect(manager.getByRole('button', { name: 'Reissue credential…' })).toBeHidden()
  await expect(manager.getByText(`Ask ${username}_boss to reissue it.`)).toBeVisible()
  await expect(manager.getByRole('tab')).toHaveText(['Overview', 'Listing', 'Announces', 'Connect'])
  await onDesktopAndPhone(manager, (variant) => expectAccessible(manager, `the overview, ${variant}`))

  await manager.getByRole('tab', { name: 'Announces' }).click()
  await expect(manager.getByRole('region', { name: 'Recent announces' })).toBeVisible()
  await manager.getByRole('tab', { name: 'Listing' }).click()
  await manager.getByLabel('Description').fill('Edited by the manager.')
  await manager.getByRole('button', { name: 'Save changes' }).click()
  await expect(manager.getByText('Listing saved')).toBeVisible()
  await expect
    .poll(async () => (await send<{ description: string }>(owner, `GET /api/users/tokens/${public_id}`)).description)
    .toBe('Edited by the manager.')

  // An unsaved form does not keep the page open.
  await manager.getByLabel('Description').fill('Unfinished')
  await revokeManager(owner, manager)
  await expect(manager.getByRole('heading', { name: 'You no longer manage this server' })).toBeFocused()
  await expect(manager.getByText('Your unsaved changes are lost.')).toBeVisible()
  await expect(manager.getByText(`You no longer manage ${username}_boss’s servers`)).toBeVisible()
  await manager.getByRole('button', { name: 'Close notification' }).last().click()
  await onDesktopAndPhone(manager, (variant) => expectAccessible(manager, `the notice, ${variant}`))
  await manager.getByRole('link', { name: 'Go to your servers', exact: true }).click()
  await expect(manager.getByText('Put your first server on the list')).toBeVisible()
  await expect(manager.locator('#main').getByText('Managed for')).toBeHidden()
})

test('without a permission the manager sees values instead of a form, and permission changes apply without a reload', async ({
  page: manager,
  username,
  signInAs,
}) => {
  await startSession(manager, username)
  const owner = await signInAs(`${username}_boss`)
  const { public_id } = await createServer(owner, { name: `Read-only ${username}`, description: 'Not editable.' })
  await grantManager(owner, manager, 'REISSUE_CREDENTIAL')
  await manager.goto(`/management/${await idOf(owner)}/servers/${public_id}?tab=listing`)
  await expect(manager.getByRole('region', { name: 'Listing' })).toContainText('Not editable.')
  await expect(manager.getByText('the permission “Edit details”')).toBeVisible()
  await expect(manager.getByRole('textbox')).toHaveCount(0)
  await onDesktopAndPhone(manager, (variant) => expectAccessible(manager, `the read-only listing, ${variant}`))

  await manager.getByRole('tab', { name: 'Overview' }).click()
  await manager.getByRole('button', { name: 'Reissue credential…' }).click()
  await manager.getByRole('button', { name: 'Reissue credential', exact: true }).click()
  await expect(manager.locator('[data-credential]')).toHaveText(new RegExp(`^mst_${public_id}_`))
  await manager.getByRole('button', { name: 'I have saved it' }).click()

  await grantManager(owner, manager, 'EDIT_DETAILS')
  await expect(manager.getByRole('button', { name: 'Reissue credential…' })).toBeHidden()
  await manager.getByRole('tab', { name: 'Listing' }).click()
  await expect(manager.getByLabel('Description')).toHaveValue('Not editable.')
})

test('a revoke that the stream missed shows at the next call', async ({ page: manager, signInAs, username, allowBrowserError }) => {
  allowBrowserError(NOT_FOUND)
  allowBrowserError(/ERR_FAILED/)
  await startSession(manager, username)
  const owner = await signInAs(`${username}_boss`)
  const { public_id } = await createServer(owner, { name: `Silent ${username}` })
  await grantManager(owner, manager, 'EDIT_DETAILS')
  await manager.route('**/api/users/tokens/events', (route) => route.abort())
  await manager.goto(`/management/${await idOf(owner)}/servers/${public_id}?tab=listing`)
  await manager.getByLabel('Description').fill('Too late.')
  await revokeManager(owner, manager)
  await manager.getByRole('button', { name: 'Save changes' }).click()
  await expect(manager.getByRole('heading', { name: 'You no longer manage this server' })).toBeVisible()
})

timingSensitive(() => {
  test('a grant made while the browser was offline appears when it is online again', async ({
    page: manager,
    username,
    signInAs,
    allowBrowserError,
  }) => {
    allowBrowserError(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK|Failed to fetch dynamically imported module/)
    await signIn(manager, username)
    const owner = await signInAs(`${username}_boss`)
    const id = await idOf(manager)
    await manager.context().setOffline(true)
    await expect(manager.getByText('You are offline.')).toBeVisible()
    await send(owner, 'POST /api/users/management', { user_id: id, permissions: ['EDIT_DETAILS'] })
    await manager.context().setOffline(false)
    await expect(manager.getByRole('region', { name: `Managed for ${username}_boss` })).toBeVisible({ timeout: 5000 })
  })
})

test('a manager stops managing from the server’s page, and gets one message', async ({ page: manager, username, signInAs }) => {
  await startSession(manager, username)
  const owner = await signInAs(`${username}_boss`)
  const { public_id } = await createServer(owner, { name: `Left ${username}` })
  await grantManager(owner, manager, 'EDIT_DETAILS')
  const id = await idOf(owner)
  await manager.goto(`/management/${id}/servers/${public_id}`)
  await manager.getByRole('button', { name: 'Stop managing…' }).click()
  await expect(manager.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectAccessible(manager, 'the confirmation')
  await manager.getByRole('button', { name: 'Stop managing', exact: true }).click()
  await expect(manager).toHaveURL(/\/servers$/)
  await expect(manager.getByText(`You no longer manage ${username}_boss’s servers`)).toBeVisible()
  await expect(manager.locator('#main').getByText('Managed for')).toBeHidden()
  // The stream does not report users' own actions to them.
  await manager.waitForTimeout(1000)
  await expect(manager.getByText('removed you as a manager')).toBeHidden()
  const { management } = await send<{ management: ManagedServer[] }>(manager, 'GET /api/users/tokens')
  expect(management).toEqual([])
})

test('after a failed attempt to stop managing, a revoke by the owner still shows', async ({
  page: manager,
  username,
  signInAs,
  allowBrowserError,
}) => {
  allowBrowserError(NOT_FOUND)
  allowBrowserError(/503 \(Service Unavailable\)/)
  await startSession(manager, username)
  const owner = await signInAs(`${username}_boss`)
  const { public_id } = await createServer(owner, { name: `Stayed ${username}` })
  await grantManager(owner, manager, 'EDIT_DETAILS')
  await openWithStream(manager, `/management/${await idOf(owner)}/servers/${public_id}`)
  await manager.route('**/api/users/management/self/*', (route) => route.fulfill(errorResponse(503, 'Not right now, try again.')))
  await manager.getByRole('button', { name: 'Stop managing…' }).click()
  await manager.getByRole('button', { name: 'Stop managing', exact: true }).click()
  await expect(manager.getByRole('alert')).toContainText('Not right now, try again.')
  await manager.getByRole('button', { name: 'Cancel' }).click()
  await expect(manager.getByRole('heading', { level: 1, name: `Stayed ${username}` })).toBeVisible()
  await revokeManager(owner, manager)
  await expect(manager.getByRole('heading', { name: 'You no longer manage this server' })).toBeFocused()
  await expect(manager.getByText(`You no longer manage ${username}_boss’s servers`)).toBeVisible()
})

test('a manager opens a server and edits it by keyboard', async ({ page: manager, username, signInAs }) => {
  await startSession(manager, username)
  const owner = await signInAs(`${username}_boss`)
  await createServer(owner, { name: `Keys ${username}` })
  await grantManager(owner, manager, 'EDIT_DETAILS')
  await manager.goto('/servers')
  const row = manager.getByRole('region', { name: 'Managed for' }).getByRole('link', { name: `Keys ${username}` })
  await expect(row).toBeVisible()
  await tabTo(manager, row)
  await manager.keyboard.press('Enter')
  await expect(manager.getByRole('heading', { level: 1, name: `Keys ${username}` })).toBeFocused()
  const stop = manager.getByRole('button', { name: 'Stop managing…' })
  await tabTo(manager, stop)
  await manager.keyboard.press('Enter')
  await expect(manager.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await manager.keyboard.press('Escape')
  await expect(stop).toBeFocused()
  await tabTo(manager, manager.getByRole('tab', { name: 'Overview' }))
  await manager.keyboard.press('ArrowRight')
  await tabTo(manager, manager.getByLabel('Description'))
  await manager.keyboard.type('By keys.')
  await tabTo(manager, manager.getByRole('button', { name: 'Save changes' }))
  await manager.keyboard.press('Enter')
  await expect(manager.getByText('Listing saved')).toBeVisible()
})

test('the search covers managed servers, and the page of a server no longer managed says so', async ({
  page: manager,
  signInAs,
  username,
  allowBrowserError,
}) => {
  // The router logs the error that kept a page from opening.
  allowBrowserError(NOT_FOUND)
  allowBrowserError(/HttpError: There is no such server/)
  await startSession(manager, username)
  const owner = await signInAs(`${username}_boss`)
  await createServer(manager, { name: `Mine ${username}` })
  const { public_id } = await createServer(owner, { name: `Theirs ${username}` })
  await grantManager(owner, manager, 'EDIT_DETAILS')
  await manager.goto('/servers?q=theirs')
  await expect(manager.getByRole('region', { name: 'Managed for' }).getByRole('link', { name: `Theirs ${username}` })).toBeVisible()
  await expect(manager.getByRole('region', { name: 'Your servers' }).getByRole('link')).toHaveCount(0)
  await manager.getByLabel('Search your servers').fill('nothing like it')
  await expect(manager.getByText('of your 2 servers')).toBeVisible()
  await revokeManager(owner, manager)
  await manager.goto(`/management/${await idOf(owner)}/servers/${public_id}`)
  await expect(manager.getByRole('heading', { name: 'You don’t manage this server' })).toBeVisible()
  await expectAccessible(manager, 'the notice')
})
