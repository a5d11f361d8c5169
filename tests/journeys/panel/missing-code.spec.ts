/** Code that cannot be loaded, and a new version of the panel. */
import { expect, expectAccessible, openAndSettle, startSession, test } from '#tests/journeys/journey.ts'
import { onDesktopAndPhone } from '#tests/journeys/users.ts'

test('a page whose code cannot be loaded reloads once, then says so, and loads with a retry', async ({
  page,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/ERR_FAILED|dynamically imported module/)
  await startSession(page, username)
  await openAndSettle(page, '/servers', page.getByText('Put your first server on the list'))
  let loads = 0
  page.on('request', (request) => {
    if (request.isNavigationRequest()) loads += 1
  })
  await page.route('**/assets/account-pages-*.js', (route) => route.abort())
  await page.getByRole('link', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Whoops, something is wrong :(' })).toBeVisible()
  expect(loads, 'the page reloads once').toBe(1)
  await expectAccessible(page, 'a page that can’t be loaded')
  await page.unrouteAll({ behavior: 'wait' })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByLabel('Discord username')).toBeVisible()
})

test('after an outage a bar offers to reload, but only if there is a new version of the panel', async ({
  page,
  context,
  username,
  allowBrowserError,
}) => {
  // Code that still loads when the network is lost fails, and is loaded when it is needed.
  allowBrowserError(/ERR_INTERNET_DISCONNECTED|TypeError: Failed to fetch/)
  await startSession(page, username)
  await openAndSettle(page, '/servers', page.getByText('Put your first server on the list'))
  const bar = page.getByText('A new version of the panel is available.')
  const reconnect = async () => {
    await context.setOffline(true)
    await expect(page.getByText('You are offline.')).toBeVisible()
    const check = page.waitForResponse((reply) => new URL(reply.url()).pathname === '/')
    await context.setOffline(false)
    await (await check).finished()
    await expect(page.getByText('You are offline.')).toBeHidden()
  }
  await reconnect()
  await expect(bar).toBeHidden()
  await page.route(`${new URL(page.url()).origin}/`, async (route) => {
    const reply = await route.fetch()
    return route.fulfill({
      response: reply,
      body: (await reply.text()).replaceAll(/\/assets\/panel-[\w-]+\.js/g, '/assets/panel-newer.js'),
    })
  })
  const titleTop = () => page.getByRole('heading', { level: 1 }).evaluate((title) => title.getBoundingClientRect().top)
  const top = await titleTop()
  await reconnect()
  await expect(bar).toBeVisible()
  expect(await titleTop(), 'the bar moves nothing').toBe(top)
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `the bar of a new version, ${variant}`))
  const loaded = page.waitForEvent('load')
  await page.getByRole('button', { name: 'Reload' }).click()
  await loaded
  await expect(bar).toBeHidden()
})
