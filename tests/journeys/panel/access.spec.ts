/** Accessibility: axe finds no violation on any page in either theme, and no page scrolls sideways on a narrow phone. */
import type { Page } from '@playwright/test'
import { announce, createServer, expect, expectAccessible, signIn, test } from '#tests/journeys/journey.ts'

const VARIANTS = [
  { colorScheme: 'dark', width: 1440 },
  { colorScheme: 'light', width: 360 },
] as const

async function show(page: Page, { colorScheme, width }: (typeof VARIANTS)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width, height: 800 })
}

test('every page is accessible in dark at 1440 px and in light at 360 px', async ({ page, program, username, allowBrowserError }) => {
  test.setTimeout(120_000)
  allowBrowserError(/404 \(Not Found\)|HttpError/)
  for (const variant of VARIANTS) {
    await show(page, variant)
    await page.goto('/login')
    await expect(page.getByText(variant.width === 1440 ? 'Most players' : 'right now')).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('data-theme', variant.colorScheme)
    await expectAccessible(page, `login in ${variant.colorScheme} at ${variant.width} px`)
  }

  let variants = [...VARIANTS]
  /** The next step happens in the last variant, so that each has half of the steps. */
  const check = async (where: string) => {
    variants = variants.toReversed()
    for (const variant of variants) {
      const { colorScheme, width } = variant
      await show(page, variant)
      await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme)
      await expectAccessible(page, `${where} in ${colorScheme} at ${width} px`)
    }
  }
  await signIn(page, username)
  await check('empty list')

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
  await check('full list')
  await page.getByLabel('Search your servers').fill('nothing')
  await expect(page.getByText('No servers match')).toBeVisible()
  await check('nothing found')
  await page.goto(`/servers/${first.public_id}`)
  for (const tab of ['Overview', 'Listing', 'Announces', 'Danger']) {
    await page.getByRole('tab', { name: tab }).click()
    await expect(page.getByRole('tabpanel', { name: tab })).toBeVisible()
    await check(`tab ${tab}`)
  }
  await page.getByRole('button', { name: 'Delete server…' }).click()
  await check('delete dialog')
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Overview' }).click()
  await page.getByRole('button', { name: 'Reissue credential…' }).click()
  await check('reissue dialog')
  await page.getByRole('button', { name: 'Reissue credential', exact: true }).click()
  await expect(page.locator('[data-credential]')).toBeVisible()
  await check('credential dialog')
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.goto(`/servers/${unannounced.public_id}?tab=announces`)
  await expect(page.getByRole('tabpanel')).toBeVisible()
  await check('no announces')
  await page.goto(`/servers/new`)
  await expect(page.getByRole('heading', { level: 1, name: 'New server' })).toBeVisible()
  await check('new server')
  await page.goto(`/servers/new?server=${unannounced.public_id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'New server' })).toBeVisible()
  await check('waiting')
  await page.getByRole('button', { name: 'Your account' }).click()
  await check('menu')
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('listbox')).toBeVisible()
  await check('palette')
  await page.goto('/servers/0000000')
  await expect(page.getByRole('heading', { name: 'Whoops' })).toBeVisible()
  await check('error')
})
