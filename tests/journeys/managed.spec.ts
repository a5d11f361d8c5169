import type { ManagedServer } from '#contract/servers.ts'
import { announce, createServer, expect, expectSound, inRealTime, signIn, test } from './journey.ts'
import { tabUntil } from './keys.ts'
import { idOf, inEveryGuise, letManage, revoke, send } from './people.ts'

/** The console logs each page that the backend rejects. */
const REFUSED = /404 \(Not Found\) .*\/api\/users\/(?:management|tokens)\//

test('an owner grants, the manager edits, and the owner revokes while the page is open', async ({
  page: manager,
  openPanelAs,
  program,
  username,
  expectComplaint,
}) => {
  // Three pages in every theme and width.
  test.slow()
  expectComplaint(REFUSED)
  await signIn(manager, username)
  const owner = await openPanelAs(`${username}_boss`)
  const { public_id, credential } = await createServer(owner, { name: `Shared ${username}` })
  await announce(program, credential)
  await expect(manager.locator('#main').getByText('Managed for')).toBeHidden()

  // The grant appears without a reload, with a message.
  await letManage(owner, manager, 'EDIT_DETAILS', 'RESET_ADDRESS')
  const group = manager.getByRole('region', { name: `Managed for ${username}_boss` })
  await expect(group).toBeVisible()
  await expect(group.getByText('Edit details')).toBeVisible()
  await expect(manager.getByText(`You now manage ${username}_boss’s servers`)).toBeVisible()
  // A message that fades out while it is measured has too little contrast.
  await manager.getByRole('button', { name: 'Close toast' }).click()
  await inEveryGuise(manager, (guise) => expectSound(manager, `the list, ${guise}`))

  await group.getByRole('link', { name: `Shared ${username}` }).click()
  await expect(manager).toHaveURL(new RegExp(`/management/[0-9a-f-]+/servers/${public_id}$`))
  await expect(manager.locator('#main').getByText('Managed for')).toBeVisible()
  await expect(manager.getByRole('heading', { name: 'Right now' })).toBeVisible()
  // Exactly what is allowed: the address, but not the credential or anything else of the owner's.
  await expect(manager.getByRole('button', { name: 'Reset…' })).toBeVisible()
  await expect(manager.getByRole('button', { name: 'Reissue…' })).toBeHidden()
  await expect(manager.getByText(`Only ${username}_boss can reissue it.`)).toBeVisible()
  await expect(manager.getByRole('tab')).toHaveText(['Overview', 'Listing', 'Announces'])
  await inEveryGuise(manager, (guise) => expectSound(manager, `the overview, ${guise}`))

  await manager.getByRole('tab', { name: 'Announces' }).click()
  await expect(manager.getByRole('region', { name: 'Last announces' })).toBeVisible()
  await manager.getByRole('tab', { name: 'Listing' }).click()
  await manager.getByLabel('Description').fill('Edited by the manager.')
  await manager.getByRole('button', { name: 'Save changes' }).click()
  await expect(manager.getByText('Listing saved')).toBeVisible()
  await expect
    .poll(async () => (await send<{ description: string }>(owner, `GET /api/users/tokens/${public_id}`)).description)
    .toBe('Edited by the manager.')

  // A half-typed form neither keeps the page open nor breaks it.
  await manager.getByLabel('Description').fill('Half typed')
  await revoke(owner, manager)
  await expect(manager.getByRole('heading', { name: 'You no longer manage this server' })).toBeFocused()
  await expect(manager.getByText('What you had typed was not saved.')).toBeVisible()
  await expect(manager.getByText(`You no longer manage ${username}_boss’s servers`)).toBeVisible()
  await manager.getByRole('button', { name: 'Close toast' }).last().click()
  await inEveryGuise(manager, (guise) => expectSound(manager, `the notice, ${guise}`))
  await manager.getByRole('link', { name: 'To your servers', exact: true }).click()
  await expect(manager.getByText('Put your first server on the list')).toBeVisible()
  await expect(manager.locator('#main').getByText('Managed for')).toBeHidden()
})

test('a missing permission shows the values, and why there is no form', async ({ page: manager, username, openPanelAs }) => {
  await signIn(manager, username)
  const owner = await openPanelAs(`${username}_boss`)
  const { public_id } = await createServer(owner, { name: `Looked ${username}`, description: 'Only to look at.' })
  await letManage(owner, manager, 'REISSUE_CREDENTIAL')
  await manager.goto(`/management/${await idOf(owner)}/servers/${public_id}?tab=listing`)
  await expect(manager.getByRole('region', { name: 'Listing' })).toContainText('Only to look at.')
  await expect(manager.getByText('That takes “Edit details”')).toBeVisible()
  await expect(manager.getByRole('textbox')).toHaveCount(0)
  await inEveryGuise(manager, (guise) => expectSound(manager, `the listing to look at, ${guise}`))

  await manager.getByRole('tab', { name: 'Overview' }).click()
  await manager.getByRole('button', { name: 'Reissue…' }).click()
  await manager.getByRole('button', { name: 'Reissue credential' }).click()
  await expect(manager.locator('[data-credential]')).toHaveText(new RegExp(`^mst_${public_id}_`))
  await manager.getByRole('button', { name: 'I have saved it' }).click()

  // Changed permissions apply at once.
  await letManage(owner, manager, 'EDIT_DETAILS')
  await expect(manager.getByRole('button', { name: 'Reissue…' })).toBeHidden()
  await manager.getByRole('tab', { name: 'Listing' }).click()
  await expect(manager.getByLabel('Description')).toHaveValue('Only to look at.')
})

test('a revoke that the stream missed is noticed at the next call', async ({ page: manager, openPanelAs, username, expectComplaint }) => {
  expectComplaint(REFUSED)
  expectComplaint(/ERR_FAILED/)
  await signIn(manager, username)
  const owner = await openPanelAs(`${username}_boss`)
  const { public_id } = await createServer(owner, { name: `Silent ${username}` })
  await letManage(owner, manager, 'EDIT_DETAILS')
  await manager.route('**/api/users/tokens/events', (route) => route.abort())
  await manager.goto(`/management/${await idOf(owner)}/servers/${public_id}?tab=listing`)
  await manager.getByLabel('Description').fill('Too late.')
  await revoke(owner, manager)
  await manager.getByRole('button', { name: 'Save changes' }).click()
  await expect(manager.getByRole('heading', { name: 'You no longer manage this server' })).toBeVisible()
})

inRealTime(() => {
  test('what changed during an outage is there when it is over', async ({ page: manager, username, openPanelAs, expectComplaint }) => {
    expectComplaint(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK/)
    await signIn(manager, username)
    const owner = await openPanelAs(`${username}_boss`)
    const id = await idOf(manager)
    await manager.context().setOffline(true)
    await expect(manager.getByText('You are offline.')).toBeVisible()
    await send(owner, 'POST /api/users/management', { user_id: id, permissions: ['EDIT_DETAILS'] })
    await manager.context().setOffline(false)
    await expect(manager.getByRole('region', { name: `Managed for ${username}_boss` })).toBeVisible({ timeout: 5000 })
  })
})

test('a manager resigns', async ({ page: manager, username, openPanelAs }) => {
  await signIn(manager, username)
  const owner = await openPanelAs(`${username}_boss`)
  const { public_id } = await createServer(owner, { name: `Left ${username}` })
  await letManage(owner, manager, 'EDIT_DETAILS')
  const id = await idOf(owner)
  await manager.goto(`/management/${id}/servers/${public_id}`)
  await manager.getByRole('button', { name: 'Stop managing…' }).click()
  await expect(manager.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expectSound(manager, 'the question')
  await manager.getByRole('button', { name: 'Stop managing', exact: true }).click()
  await expect(manager).toHaveURL(/\/servers$/)
  await expect(manager.getByText(`You no longer manage ${username}_boss’s servers`)).toBeVisible()
  await expect(manager.locator('#main').getByText('Managed for')).toBeHidden()
  // The user's own action: the stream does not announce it again.
  await manager.waitForTimeout(1000)
  await expect(manager.getByText('has ended it')).toBeHidden()
  const { management } = await send<{ management: ManagedServer[] }>(manager, 'GET /api/users/tokens')
  expect(management).toEqual([])
})

test('a manager whose resignation failed sees when the owner ends it', async ({
  page: manager,
  username,
  openPanelAs,
  expectComplaint,
}) => {
  expectComplaint(REFUSED)
  expectComplaint(/503 \(Service Unavailable\)/)
  await signIn(manager, username)
  const owner = await openPanelAs(`${username}_boss`)
  const { public_id } = await createServer(owner, { name: `Stayed ${username}` })
  await letManage(owner, manager, 'EDIT_DETAILS')
  await manager.goto(`/management/${await idOf(owner)}/servers/${public_id}`)
  await manager.route('**/api/users/management/self/*', (route) =>
    route.fulfill({ status: 503, json: { statusCode: 503, errors: ['Not right now, try again.'], isBusiness: false } }),
  )
  await manager.getByRole('button', { name: 'Stop managing…' }).click()
  await manager.getByRole('button', { name: 'Stop managing', exact: true }).click()
  await expect(manager.getByRole('alert')).toContainText('Not right now, try again.')
  await manager.getByRole('button', { name: 'Cancel' }).click()
  await expect(manager.getByRole('heading', { level: 1, name: `Stayed ${username}` })).toBeVisible()
  await revoke(owner, manager)
  await expect(manager.getByRole('heading', { name: 'You no longer manage this server' })).toBeFocused()
  await expect(manager.getByText(`You no longer manage ${username}_boss’s servers`)).toBeVisible()
})

test('manages by keyboard alone', async ({ page: manager, username, openPanelAs }) => {
  await signIn(manager, username)
  const owner = await openPanelAs(`${username}_boss`)
  await createServer(owner, { name: `Keys ${username}` })
  await letManage(owner, manager, 'EDIT_DETAILS')
  await manager.goto('/servers')
  const row = manager.getByRole('region', { name: 'Managed for' }).getByRole('link', { name: `Keys ${username}` })
  await expect(row).toBeVisible()
  await tabUntil(manager, row)
  await manager.keyboard.press('Enter')
  await expect(manager.getByRole('heading', { level: 1, name: `Keys ${username}` })).toBeFocused()
  const stop = manager.getByRole('button', { name: 'Stop managing…' })
  await tabUntil(manager, stop)
  await manager.keyboard.press('Enter')
  await expect(manager.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await manager.keyboard.press('Escape')
  await expect(stop).toBeFocused()
  await tabUntil(manager, manager.getByRole('tab', { name: 'Overview' }))
  await manager.keyboard.press('ArrowRight')
  await tabUntil(manager, manager.getByLabel('Description'))
  await manager.keyboard.type('By keys.')
  await tabUntil(manager, manager.getByRole('button', { name: 'Save changes' }))
  await manager.keyboard.press('Enter')
  await expect(manager.getByText('Listing saved')).toBeVisible()
})

test('the search finds managed servers, and another user’s page says it is not available', async ({
  page: manager,
  openPanelAs,
  username,
  expectComplaint,
}) => {
  // The router logs whatever kept a page from opening.
  expectComplaint(REFUSED)
  expectComplaint(/HttpError: There is no such server/)
  await signIn(manager, username)
  const owner = await openPanelAs(`${username}_boss`)
  await createServer(manager, { name: `Mine ${username}` })
  const { public_id } = await createServer(owner, { name: `Theirs ${username}` })
  await letManage(owner, manager, 'EDIT_DETAILS')
  await manager.goto('/servers?q=theirs')
  await expect(manager.getByRole('region', { name: 'Managed for' }).getByRole('link', { name: `Theirs ${username}` })).toBeVisible()
  await expect(manager.getByRole('region', { name: 'Your servers' }).getByRole('link')).toHaveCount(0)
  await manager.getByLabel('Search your servers').fill('nothing like it')
  await expect(manager.getByText('None of your 2 servers')).toBeVisible()
  await revoke(owner, manager)
  await manager.goto(`/management/${await idOf(owner)}/servers/${public_id}`)
  await expect(manager.getByRole('heading', { name: 'You don’t manage this server' })).toBeVisible()
  await expectSound(manager, 'the notice')
})
