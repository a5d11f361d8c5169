/** The public pages on a phone, with and without scripts. */
import type { Page } from '@playwright/test'
import { announce, createServer, expect, expectNoSidewaysScrolling, holdRequests, isListed, test } from '#tests/journeys/journey.ts'
import { send } from '#tests/journeys/users.ts'
import { openEnhanced, observeShift, expectAccessibleInBothThemes } from './public-page.ts'

const namesOn = async (page: Page) => await page.locator('.row-name bdi').allTextContents()

test('a phone shows whole names, and filters in a sheet, with and without scripts', async ({
  page,
  program,
  signInAs,
  browser,
  username,
}) => {
  const owner = await signInAs(username)
  const name = `Nordlicht ${username} Roleplay Deutschland, seriös & freundlich`.slice(0, 64)
  const server = await createServer(owner, { name, language: 'de', tags: ['roleplay', 'voice', 'whitelist'] })
  const other = await createServer(owner, { name: `Harbour ${username}` })
  await send(await signInAs('admin'), `PATCH /api/admin/tokens/${server.public_id}`, { verified: true })
  for (const { credential } of [server, other]) await announce(program, credential, { passworded: true })
  for (const { public_id: id } of [server, other]) await expect.poll(() => isListed(program, id)).toBe(true)
  const address = `/browse?q=${username}`

  await test.step('a font that comes late moves nothing', async () => {
    const shiftOf = await observeShift(page)
    const release = await holdRequests(page, '**/*.woff2', 'GET')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`/s/${server.public_id}`, { waitUntil: 'domcontentloaded' })
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const loaded = page.waitForResponse('**/inter-latin-*.woff2')
    release()
    await (await loaded).finished()
    await page.evaluate(async () => {
      await document.fonts.ready
      await new Promise(requestAnimationFrame)
    })
    expect(await shiftOf()).toBe(0)
    await page.unroute('**/*.woff2')
  })

  const row = page.locator(`#server-${server.public_id}`)
  const sheet = page.locator('#filters')

  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await openEnhanced(page, address)
    const nameBox = (await row.locator('.row-name bdi').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    expect((await page.locator('.row').first().boundingBox())?.y).toBeLessThan(300)
    expect(nameBox.width).toBeGreaterThan(150)
    expect(await row.locator('.row-name bdi').evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
    for (const mark of [
      row.getByRole('img', { name: 'Verified' }),
      row.getByRole('img', { name: 'Password required' }),
      row.getByText('37 / 128'),
    ])
      expect((await mark.boundingBox())?.y).toBeGreaterThan(nameBox.y + nameBox.height - 1)
    await expectNoSidewaysScrolling(page, `${address} at ${width}`)
  }

  await test.step('the sheet stays open while the visitor chooses, counts the servers, and Back undoes a choice', async () => {
    await page.getByRole('button', { name: 'Filters' }).click()
    await expect(sheet.getByRole('button', { name: 'Show 2 servers' })).toBeVisible()
    await expectAccessibleInBothThemes(page, 'the sheet of the filters')
    await sheet.locator('summary', { hasText: 'Language' }).click()
    await sheet.getByRole('link', { name: /German/ }).click()
    await expect(sheet.getByRole('button', { name: 'Show 1 server' })).toBeVisible()
    await expect(page).toHaveURL(`/browse?q=${username}&language=de`)
    await page.goBack()
    await expect(sheet.getByRole('button', { name: 'Show 2 servers' })).toBeVisible()
    await page.goForward()
    await sheet.getByRole('button', { name: 'Show 1 server' }).click()
    await expect(sheet).toBeHidden()
    await expect(page.getByRole('button', { name: 'Filters 1' })).toBeVisible()
    expect(await namesOn(page)).toEqual([name])
  })

  await test.step('without scripts too', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false, viewport: { width: 320, height: 844 }, colorScheme: 'light' })
    const plain = await context.newPage()
    await plain.goto(address)
    expect(await plain.evaluate(() => getComputedStyle(document.documentElement).colorScheme)).toBe('light')
    await plain.getByRole('button', { name: 'Filters' }).click()
    await plain.locator('#filters summary', { hasText: 'Language' }).click()
    await plain.getByRole('link', { name: /German/ }).click()
    await expect(plain).toHaveURL(`/browse?q=${username}&language=de`)
    expect(await namesOn(plain)).toEqual([name])
    await expectNoSidewaysScrolling(plain, `${address} without scripts`)
    await plain.getByRole('button', { name: 'Language: English' }).click()
    await plain.getByRole('button', { name: 'Deutsch' }).click()
    await expect(plain.getByRole('heading', { level: 1 })).toHaveText('Gameserver')
    await expect(plain).toHaveURL(`/browse?q=${username}&language=de`)
    await expect(plain.getByRole('group', { name: 'Design' })).toBeHidden()
    await context.close()
  })
})
