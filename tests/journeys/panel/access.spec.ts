/** Accessibility: axe finds no violation on any page in either theme, and no page scrolls sideways on a narrow phone. */
import { announce, createServer, expect, expectAccessible, signIn, test } from '#tests/journeys/journey.ts'

for (const [theme, width] of [
  ['dark', 1440],
  ['light', 360],
] as const) {
  test(`every page is accessible in ${theme} at ${width} px`, async ({ page, program, username, allowBrowserError }) => {
    test.setTimeout(120_000)
    allowBrowserError(/404 \(Not Found\)|HttpError/)
    await page.emulateMedia({ colorScheme: theme })
    await page.setViewportSize({ width, height: 800 })
    await page.goto('/login')
    await expect(page.getByText(width === 1440 ? 'Most players' : 'right now')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe(theme)
    await expectAccessible(page, 'login')
    await signIn(page, username)
    await expectAccessible(page, 'empty list')

    const long = 'Wort'.repeat(14)
    const first = await createServer(page, {
      name: `A ${username}`,
      tags: ['roleplay', 'economy', 'serious', 'whitelisted'],
      game_mode: 'Roleplay',
      description: long,
    })
    await announce(program, first.credential)
    await createServer(page, { name: `${username} ${long}`.slice(0, 64), visible: false })
    const unannounced = await createServer(page, { name: `C ${username}` })
    await page.goto('/servers')
    await expect(page.getByRole('region', { name: 'Your servers' }).getByText('Online')).toBeVisible()
    await expectAccessible(page, 'full list')
    await page.getByLabel('Search your servers').fill('nothing')
    await expect(page.getByText('No servers match')).toBeVisible()
    await expectAccessible(page, 'nothing found')
    await page.goto(`/servers/${first.public_id}`)
    for (const tab of ['Overview', 'Listing', 'Announces', 'Danger']) {
      await page.getByRole('tab', { name: tab }).click()
      await expect(page.getByRole('tabpanel', { name: tab })).toBeVisible()
      await expectAccessible(page, `tab ${tab}`)
    }
    await page.getByRole('button', { name: 'Delete server…' }).click()
    await expectAccessible(page, 'delete dialog')
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Overview' }).click()
    await page.getByRole('button', { name: 'Reissue credential…' }).click()
    await expectAccessible(page, 'reissue dialog')
    await page.getByRole('button', { name: 'Reissue credential', exact: true }).click()
    await expect(page.locator('[data-credential]')).toBeVisible()
    await expectAccessible(page, 'credential dialog')
    await page.getByRole('button', { name: 'I have saved it' }).click()
    await page.goto(`/servers/${unannounced.public_id}?tab=announces`)
    await expect(page.getByRole('tabpanel')).toBeVisible()
    await expectAccessible(page, 'no announces')
    await page.goto(`/servers/new`)
    await expect(page.getByRole('heading', { level: 1, name: 'New server' })).toBeVisible()
    await expectAccessible(page, 'new server')
    await page.goto(`/servers/new?server=${unannounced.public_id}`)
    await expect(page.getByRole('heading', { level: 1, name: 'New server' })).toBeVisible()
    await expectAccessible(page, 'waiting')
    await page.getByRole('button', { name: 'Your account' }).click()
    await expectAccessible(page, 'menu')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await expect(page.getByRole('listbox')).toBeVisible()
    await expectAccessible(page, 'palette')
    await page.goto('/servers/0000000')
    await expect(page.getByRole('heading', { name: 'Whoops' })).toBeVisible()
    await expectAccessible(page, 'error')
  })
}
