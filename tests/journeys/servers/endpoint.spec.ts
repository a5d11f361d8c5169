/** The card "How players reach it": its picture, the test, the bound addresses, and the address policy. */
import type { Page } from '@playwright/test'
import type { ServerEndpoint } from '#contract/servers/endpoint.ts'
import { announce, createServer, expect, expectAccessible, holdRequests, openWithStream, startSession } from '#tests/journeys/journey.ts'
import { layoutShift } from '#tests/journeys/layout-shift.ts'
import { tabTo } from '#tests/journeys/tab-to.ts'
import { grantManager, idOf, onDesktopAndPhone, send } from '#tests/journeys/users.ts'
import { announceFrom, test } from './endpoint-program.ts'

/** Of the servers, on loopback addresses that nothing else uses. */
const HOST = '127.0.0.5'
const DEAD_HOST = '127.0.0.6'
const DEAD_PORT = 1

const cardOf = (page: Page) => page.getByRole('region', { name: 'How players reach it' })
const linksOf = (page: Page) => cardOf(page).locator('[data-links]')

const endpointOf = (page: Page, id: string) => send<ServerEndpoint | null>(page, `GET /api/users/tokens/${id}/endpoint`)

test('the card shows a proven host, an unproven one with what to do, and a server without a host', async ({
  page,
  program,
  username,
  answerFor,
}) => {
  await startSession(page, username)
  const proven = await createServer(page, { name: `Proven ${username}` })
  const unproven = await createServer(page, { name: `Silent ${username}` })
  const plain = await createServer(page, { name: `Direct ${username}` })
  const port = await answerFor(proven)

  await page.goto(`/servers/${plain.public_id}`)
  await expect(cardOf(page)).toContainText('Connect the server first. Its first announce shows how players reach it.')
  await expect(cardOf(page).getByRole('button', { name: 'Test now' })).toHaveCount(0)
  await announce(program, plain.credential)
  await expect(linksOf(page)).toHaveAttribute('data-links', 'unknown')
  await expect(cardOf(page)).toContainText('Players connect to the address that it announces from.')

  await announce(program, proven.credential, { host: HOST, port, probe: 'tcp' })
  await page.goto(`/servers/${proven.public_id}`)
  await expect(linksOf(page)).toHaveAttribute('data-links', 'ok ok')
  await expect(cardOf(page)).toContainText('Proven over TCP. Last answer:')
  await expect(cardOf(page)).toContainText(`Players use${HOST}:${port}`)

  await announce(program, unproven.credential, { host: DEAD_HOST, port: DEAD_PORT, probe: 'tcp' })
  await page.goto(`/servers/${unproven.public_id}`)
  await expect(linksOf(page)).toHaveAttribute('data-links', 'broken unknown')
  await expect(cardOf(page)).toContainText('Nothing is listening there. Start the tunnel or proxy')
  await expect(cardOf(page)).toContainText('It was probed over TCP. If the game uses UDP')
  await expect(cardOf(page)).toContainText(`Listed meanwhile127.0.0.1:${DEAD_PORT}`)
  await expect(cardOf(page)).toContainText(`Announced host${DEAD_HOST}:${DEAD_PORT}`)
  const warning = page.getByRole('region', { name: 'Listed, but players may have trouble joining' })
  await expect(warning).toContainText('has not yet proven')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `the card of an unproven host, ${variant}`))
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 3000 })
    await page.goto(`/servers/${unproven.public_id}`)
    await expect(linksOf(page)).toBeVisible()
    expect(await page.evaluate(layoutShift), `layout shift at ${width}`).toBeLessThanOrEqual(0.02)
  }
  await page.setViewportSize({ width: 320, height: 844 })
  await expectAccessible(page, 'the card at 320 px')
  await warning.getByRole('button', { name: 'Test now' }).click()
  await expect(page.getByRole('heading', { name: 'How players reach it' })).toBeFocused()
  // The list probed it a moment ago.
  await expect(cardOf(page).getByRole('group', { name: 'Steps of the test' })).toContainText('Time until the next check:')
})

test('a test shows each step, and then whether players reach the server', async ({ page, program, username, answerFor }) => {
  await startSession(page, username)
  const server = await createServer(page, { name: `Tested ${username}` })
  await announce(program, server.credential, { port: await answerFor(server) })
  await openWithStream(page, `/servers/${server.public_id}`)
  const start = cardOf(page).getByRole('button', { name: 'Test now' })
  await tabTo(page, start)
  await page.keyboard.press('Enter')
  const steps = cardOf(page).getByRole('group', { name: 'Steps of the test' })
  await expect(steps.getByRole('listitem')).toHaveText([/^Addresses: 127\.0\.0\.1 done/, /^127\.0\.0\.1 answered done/])
  await expect(steps.getByRole('status')).toHaveText('Players can reach your server.')
  await expect(linksOf(page)).toHaveAttribute('data-links', 'ok')
  expect(await page.evaluate(layoutShift), 'layout shift of the steps').toBeLessThanOrEqual(0.02)
  await expect(cardOf(page).getByRole('button', { name: 'Test again' })).toBeFocused()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `a passed test, ${variant}`))
})

test('a failed test says what to do, leads to the tunnel, and says that a server without support fails too', async ({
  page,
  program,
  username,
}) => {
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Closed ${username}` })
  await announce(program, credential, { port: DEAD_PORT })
  await openWithStream(page, `/servers/${public_id}`)
  await cardOf(page).getByRole('button', { name: 'Test now' }).click()
  const steps = cardOf(page).getByRole('group', { name: 'Steps of the test' })
  await expect(steps.getByRole('status')).toHaveText(/^Nothing answered there\. Open the port.* Players may still reach your server\.$/)
  await expect(steps.getByRole('listitem')).toContainText(['Addresses: 127.0.0.1', '127.0.0.1: connection refused'])
  await expect(linksOf(page)).toHaveAttribute('data-links', 'broken')
  await expectAccessible(page, 'a failed test')
  await steps.getByRole('link', { name: 'a tunnel' }).click()
  await expect(page.getByRole('radio', { name: 'Through a tunnel or proxy' })).toBeChecked()
})

test('a host that says it can’t be probed has no test, and the card says why', async ({ page, program, username }) => {
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Mute ${username}` })
  await announce(program, credential, { host: DEAD_HOST, port: 7013, probe: 'none' })
  await page.goto(`/servers/${public_id}`)
  await expect(cardOf(page)).toContainText('The server’s probe is set to “none”, so the list can’t check it.')
  await expect(page.getByRole('button', { name: 'Test now' })).toHaveCount(0)
})

test('a test without news says so after a minute, and can be repeated', async ({ page, program, username }) => {
  await page.clock.install()
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Lost ${username}` })
  await announce(program, credential)
  await holdRequests(page, '**/api/users/tokens/events', 'GET')
  await page.goto(`/servers/${public_id}`)
  await cardOf(page).getByRole('button', { name: 'Test now' }).click()
  const status = cardOf(page).getByRole('group', { name: 'Steps of the test' }).getByRole('status')
  await expect(status).toHaveText('Testing')
  await page.clock.fastForward(61_000)
  await expect(status).toHaveText('No news for a minute. Check your connection, then test again.')
  await cardOf(page).getByRole('button', { name: 'Test again' }).click()
  await expect(status).toHaveText('Testing')
})

test('a part that fails to load can be loaded again, and the rest of the card works without it', async ({
  page,
  program,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/500 .*\/endpoint$/)
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Broken ${username}` })
  await announce(program, credential)
  await page.route('**/endpoint', (route) => route.fulfill({ status: 500, json: { statusCode: 500, errors: ['Out of order.'] } }))
  await page.goto(`/servers/${public_id}`)
  await expect(cardOf(page).getByRole('button', { name: 'Reset address…' })).toBeVisible()
  await expect(cardOf(page).getByRole('alert')).toBeVisible()
  await page.unroute('**/endpoint')
  await cardOf(page).getByRole('button', { name: 'Try again' }).click()
  await expect(linksOf(page)).toBeVisible()
})

test('the address policy is saved at once and can be undone, and a manager without the permission only reads it', async ({
  page,
  program,
  username,
  signInAs,
}) => {
  await startSession(page, username)
  const manager = await signInAs(`${username}_helper`)
  const { public_id, credential } = await createServer(page, { name: `Policy ${username}` })
  await announce(program, credential)
  await grantManager(page, manager, 'EDIT_DETAILS')
  const policy = async () => (await send<{ address_policy: string }>(page, `GET /api/users/tokens/${public_id}`)).address_policy
  await page.goto(`/servers/${public_id}`)
  const follow = cardOf(page).getByRole('radio', { name: 'Follow the server' })
  await follow.check()
  await expect(page.getByText('Address policy saved')).toBeVisible()
  expect(await policy()).toBe('follow')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(policy).toBe('bound')
  await expect(follow).not.toBeChecked()

  await manager.goto(`/management/${await idOf(page)}/servers/${public_id}`)
  await expect(cardOf(manager).getByRole('radio', { name: 'Follow the server' })).toBeDisabled()
  await expect(cardOf(manager)).toContainText(`Ask ${username} to reset it.`)
  await expect(cardOf(manager).getByRole('button', { name: 'Test now' })).toBeVisible()
  await expectAccessible(manager, 'the card of a manager')
})

test('an administrator sees the bound address, but no test', async ({ page, program, username, signInAs }) => {
  await startSession(page, username)
  const admin = await signInAs('admin')
  const { public_id, credential } = await createServer(page, { name: `Watched ${username}` })
  await announce(program, credential)
  expect((await endpointOf(page, public_id))?.sources).toEqual(['127.0.0.1'])
  await admin.goto(`/admin/servers/${public_id}`)
  await expect(cardOf(admin)).toContainText('IPv4127.0.0.1')
  await expect(cardOf(admin).getByRole('button', { name: 'Reset address…' })).toBeVisible()
  await expect(cardOf(admin).getByRole('button', { name: 'Test now' })).toHaveCount(0)
})

test('the card names a bound address of each family, and a reset names both', async ({ page, program, username }) => {
  await startSession(page, username)
  const server = await createServer(page, { name: `Families ${username}` })
  await announceFrom(program, '203.0.113.9', server, 7011)
  await announceFrom(program, '2001:db8::7', server, 7011)
  await page.goto(`/servers/${server.public_id}`)
  await expect(cardOf(page)).toContainText('Players use203.0.113.9:7011')
  await expect(cardOf(page)).toContainText('Also[2001:db8::7]:7011')
  await expect(cardOf(page)).toContainText(/IPv4203\.0\.113\.9 · .*IPv62001:db8::7 and its \/64 network · /)
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `both families, ${variant}`))
  await cardOf(page).getByRole('button', { name: 'Reset address…' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('203.0.113.9 and 2001:db8::7')
})

test('a server in a private network is not listed, and its owner is asked for the public host', async ({ page, program, username }) => {
  await startSession(page, username)
  const server = await createServer(page, { name: `Cellar ${username}` })
  await announceFrom(program, '192.168.1.20', server, 7012)
  await page.goto(`/servers/${server.public_id}`)
  await expect(linksOf(page)).toHaveAttribute('data-links', 'broken')
  await expect(cardOf(page)).toContainText('The address is private')
  const why = page.getByRole('region', { name: 'Why isn’t this server listed?' })
  await why.getByRole('button', { name: 'Enter your public host' }).click()
  await expect(page.getByRole('radio', { name: 'Through a tunnel or proxy' })).toBeChecked()
  await expect(page.getByLabel('Public host')).toHaveValue('')
})
