/** The public pages for a visitor: search, live numbers, favourites, the keyboard, a phone, and no scripts at all. */
import type { Page } from '@playwright/test'
import { announce, createServer, expect, expectNoSidewaysScrolling, isListed, test } from '#tests/journeys/journey.ts'
import { portOf } from '#tests/factories.ts'
import { openEnhanced, observeShift, expectAccessibleInBothThemes } from './public-page.ts'

/** As often as a page refreshes itself (`REFRESH_MS` in web/public-site/enhance/live-page.ts). */
const REFRESH_MS = 10_000

const namesOn = async (page: Page) => await page.locator('.row-name bdi').allTextContents()
const starOf = (page: Page, name: string) => page.getByRole('button', { name: `Favourite: ${name}` })

/** Until a row has this text. */
async function refreshUntil(page: Page, text: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(REFRESH_MS)
      return (await page.locator('.row').allTextContents()).join('\n')
    })
    .toContain(text)
}

test('a visitor searches, sees live numbers, keeps favourites and opens a server', async ({
  page,
  program,
  signInAs,
  browser,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/404 \(Not Found\) .*\/s\/unknown-server$|ERR_FAILED|400 \(Bad Request\)/)
  const owner = await signInAs(username)
  const names = [`Lantern ${username}`, `Harbour ${username}`] as const
  const [lantern, harbour] = names
  const servers = [
    await createServer(owner, { name: lantern, tags: ['night'], description: 'Bring a light.' }),
    await createServer(owner, { name: harbour, language: 'de' }),
  ] as const
  const [lanternAddress, harbourAddress] = servers.map(({ credential }) => `127.0.0.1:${portOf(credential)}`)
  for (const { credential } of servers) await announce(program, credential)
  for (const { public_id: id } of servers) await expect.poll(() => isListed(program, id)).toBe(true)
  await page.clock.install()
  const shiftOf = await observeShift(page)

  await test.step('typing searches, and the address follows', async () => {
    await openEnhanced(page, '/browse')
    await page.getByRole('searchbox').pressSequentially(`lantern ${username}`)
    await page.clock.runFor(200)
    await expect.poll(() => namesOn(page)).toEqual([lantern])
    await expect(page).toHaveURL(`/browse?q=lantern+${username}`)
    await expect(page).toHaveTitle(`Game servers · “lantern ${username}” · Muster`)
    await page.reload()
    expect(await namesOn(page)).toEqual([lantern])
    await expect(page.getByRole('searchbox')).toHaveValue(`lantern ${username}`)
  })

  await test.step('numbers change and servers appear without a reload, and nothing moves', async () => {
    await page.goto(`/browse?q=${username}&sort=name`)
    await expect(page.locator('.row').first()).toContainText('37 / 128')
    await announce(program, servers[1].credential, { playersCount: 20 })
    await refreshUntil(page, '20 / 128')
    const { credential } = await createServer(owner, { name: `Zephyr ${username}` })
    await announce(program, credential, { playersCount: 9 })
    await refreshUntil(page, '9 / 128')
    // A changed number may take another width. A row that moves counts more than this.
    expect(await shiftOf()).toBeLessThan(0.001)
  })

  await test.step('an open menu stays as it is during a refresh', async () => {
    const menu = page.locator('details[name=filter][open]')
    await page.locator('summary').filter({ hasText: 'Language' }).click()
    await menu.getByRole('link', { name: /German/ }).focus()
    await announce(program, servers[1].credential, { playersCount: 21 })
    await refreshUntil(page, '21 / 128')
    await expect(menu.getByRole('link', { name: /German/ })).toBeFocused()
    await page.keyboard.press('Escape')
  })

  await test.step('a failed search says so, and shows its servers once the connection is back', async () => {
    await page.route('**/browse?*', (route) => route.abort())
    await page.getByRole('searchbox').fill(`lantern ${username}`)
    await page.clock.runFor(200)
    const status = page.getByText('Couldn’t update this page.')
    await expect(status).toBeVisible()
    await page.unroute('**/browse?*')
    await page.clock.runFor(REFRESH_MS)
    await expect.poll(() => namesOn(page)).toEqual([lantern])
    await expect(status).toBeHidden()
  })

  await test.step('a rejected search shows the sentence of the backend', async () => {
    await page.getByRole('searchbox').fill('lan\u200Dtern')
    await page.clock.runFor(200)
    await expect(page.locator('[data-status]')).toContainText(/invisible|character/)
    await page.goto(`/browse?q=${username}`)
  })

  await test.step('a favourite stays after a reload, and Favourites shows only favourites', async () => {
    await starOf(page, harbour).click()
    await expect(starOf(page, harbour)).toHaveAttribute('aria-pressed', 'true')
    await page.reload()
    await expect(starOf(page, harbour)).toHaveAttribute('aria-pressed', 'true')
    await expect(starOf(page, lantern)).toHaveAttribute('aria-pressed', 'false')
    await page.getByRole('link', { name: /^Favourites/ }).click()
    await expect(page).toHaveURL(`/browse?ids=${servers[1].public_id}`)
    expect(await namesOn(page)).toEqual([harbour])
  })

  await test.step('the keyboard opens a filter, and Escape closes it', async () => {
    await openEnhanced(page, '/browse')
    const menu = page.locator('details[name=filter]').filter({ hasText: 'Language' })
    const summary = menu.locator('summary')
    await summary.focus()
    await page.keyboard.press('Enter')
    await expect(menu.getByRole('link', { name: /German/ })).toBeVisible()
    await expectAccessibleInBothThemes(page, '/browse with a menu')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await expect(menu).not.toHaveAttribute('open')
    await expect(summary).toBeFocused()
    await page.keyboard.press('Enter')
    await menu.getByRole('link', { name: /German/ }).press('Enter')
    await expect(page).toHaveURL('/browse?language=de')
    await page.getByRole('link', { name: 'Remove filter German' }).press('Enter')
    await expect(page).toHaveURL('/browse')
  })

  await test.step('the page of a server copies its address and is recently viewed', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`/browse?q=${username}`)
    await page.getByRole('link', { name: lantern }).click()
    await page.waitForLoadState('networkidle')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(lantern)
    await page.getByRole('button', { name: 'Connect' }).click()
    await expect(page.getByText('Address copied')).toBeVisible()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(lanternAddress)
    await expectAccessibleInBothThemes(page, 'the page of a server')
    await openEnhanced(page, '/browse')
    await page.getByRole('link', { name: 'Recently viewed' }).click()
    expect(await namesOn(page)).toEqual([lantern])
  })

  await test.step('the card on another site changes in place', async () => {
    await openEnhanced(page, `/s/${servers[0].public_id}/embed`)
    await expectAccessibleInBothThemes(page, 'the card')
    await page.getByRole('link').focus()
    await announce(program, servers[0].credential, { playersCount: 55 })
    await expect
      .poll(async () => {
        await page.clock.runFor(60_000)
        return await page.locator('main').innerText()
      })
      .toContain('55 of 128')
    await expect(page.getByRole('link')).toBeFocused()
  })

  await test.step('the narrowest phone', async () => {
    await page.setViewportSize({ width: 360, height: 800 })
    for (const path of ['/browse', `/s/${servers[0].public_id}`, '/s/unknown-server']) {
      await page.goto(path)
      await expectNoSidewaysScrolling(page, path)
    }
    await openEnhanced(page, `/s/${servers[0].public_id}`)
    await page.getByRole('button', { name: /^Copy/ }).last().click()
    await expect(page.getByText('Copied', { exact: true })).toBeVisible()
    await expectNoSidewaysScrolling(page, 'a copied code')
  })

  await test.step('without scripts the content is the same, and the form searches', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const plain = await context.newPage()
    await plain.goto('/browse?language=de')
    await plain.getByRole('searchbox').fill(username)
    await plain.getByRole('combobox').selectOption('name')
    await plain.getByRole('button', { name: 'Search' }).click()
    await expect(plain).toHaveURL(`/browse?language=de&q=${username}&sort=name`)
    expect(await namesOn(plain)).toEqual([harbour])
    await expect(plain.getByRole('link', { name: /^Favourites/ })).toBeHidden()
    await plain.getByRole('link', { name: harbour }).click()
    await expect(plain.getByText(harbourAddress ?? '')).toBeVisible()
    await expect(plain.getByRole('button', { name: 'Connect' })).toBeHidden()
    await context.close()
  })
})
