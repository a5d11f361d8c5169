/** The downloads page, its manifest file, and servers found by their vanity ID. */
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { discard, type Program, startProgram, temporaryFolder, untilReady } from '#tests/program.ts'
import { createServer, expect, expectAccessible, signIn, startSession, test as base } from '#tests/journeys/journey.ts'
import { tabTo } from '#tests/journeys/tab-to.ts'
import { forceTier, onDesktopAndPhone, onDesktopAndNarrowPhone, send } from '#tests/journeys/users.ts'

const SAMPLE = join(import.meta.dirname, '../../../docs/downloads.sample.json')
const manifestOf = (program: Program) => join(program.folder, 'manifest.json')

/** Runs the program with a copy of the sample manifest, which a journey may change. */
const test = base.extend<object, { program: Program }>({
  program: [
    async ({ browserName: _browser }, provide) => {
      const folder = temporaryFolder()
      const manifest = join(folder, 'manifest.json')
      copyFileSync(SAMPLE, manifest)
      const program = await untilReady(
        await startProgram(folder, { DOWNLOADS_MANIFEST: manifest, SUPPORT_URL: 'https://support.example.com/muster' }),
      )
      await provide(program)
      discard(folder, program)
    },
    { scope: 'worker' },
  ],
})

test('downloads are chosen by branch and platform, and come with a checksum and commands', async ({ page, username }) => {
  test.slow()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await signIn(page, username)
  await page.keyboard.press('g')
  await page.keyboard.press('d')
  await expect(page).toHaveURL(/\/downloads$/)
  await expect(page).toHaveTitle('Downloads · Muster')
  await expect(page.getByRole('heading', { name: 'Downloads', level: 1 })).toBeFocused()

  // The browser in these tests reports Linux.
  const server = page.getByRole('region', { name: 'Server', exact: true })
  const download = server.getByRole('link', { name: 'Download for Linux (Server 16.2.5)' })
  await expect(download).toHaveAttribute('href', /^https:\/\/cdn\.example\.com\/.*server-16\.2\.5-linux\.tar\.gz$/)
  await expect(server.getByRole('link', { name: 'Download Server for Windows x64' })).toBeVisible()
  await server.getByRole('button', { name: 'Copy the checksum of Server 16.2.5' }).click()
  const checksum = await page.evaluate(() => navigator.clipboard.readText())
  expect(checksum).toMatch(/^[0-9a-f]{64}$/)
  await server.getByText('Download and verify in a terminal').click()
  await server.getByRole('button', { name: 'Copy the commands for Linux: Server 16.2.5, Linux x64' }).click()
  const commands = await page.evaluate(() => navigator.clipboard.readText())
  expect(commands).toContain(`echo '${checksum}  server-16.2.5-linux.tar.gz' | sha256sum -c`)
  await server.getByText('2 older builds').click()
  await expect(server.getByRole('link', { name: 'Download Server 16.1.9' })).toBeVisible()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `downloads, ${variant}`))

  // Chosen by keyboard, and kept in the address.
  await tabTo(page, page.getByRole('link', { name: 'Windows x64', exact: true }).first())
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('link', { name: 'Dev', exact: true }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/downloads\?(?=.*branch=dev)(?=.*platform=x64_win32)/)
  await page.reload()
  await expect(server.getByRole('link', { name: 'Download for Windows (Server 16.4.0-dev.41)' })).toBeVisible()
  const voice = page.getByRole('region', { name: 'Voice server' })
  await expect(voice).toContainText('No build on Dev.')
  await expectAccessible(page, 'downloads on dev')
  await voice.getByRole('link', { name: 'Release has 16.2.1' }).click()
  await expect(page).toHaveURL(/\/downloads\?(?=.*branch=release)(?=.*platform=x64_win32)/)
  await expect(voice.getByRole('link', { name: 'Download for Windows (Voice server 16.2.1)' })).toBeVisible()
})

test('with an invalid manifest owners see the previous downloads, and administrators see the problem', async ({
  page,
  signInAs,
  program,
  username,
}) => {
  test.slow()
  await startSession(page, username)
  const admin = await signInAs('admin')
  try {
    writeFileSync(manifestOf(program), '{"manifest": 1, "products": [{"id": "server", "name": "Server", "builds": [{}]}]}')
    await expect
      .poll(async () => (await send<{ problem: string | null }>(admin, 'GET /api/downloads')).problem, { timeout: 20_000 })
      .toContain('products[0].builds[0].branch must be text.')
    await admin.goto('/downloads')
    await expect(admin.getByText('products[0].builds[0].branch must be text.')).toBeVisible()
    await expect(admin.getByRole('region', { name: 'Server', exact: true })).toContainText('16.2.5')
    await onDesktopAndNarrowPhone(admin, (variant) => expectAccessible(admin, `downloads with an invalid manifest, ${variant}`))
    await page.goto('/downloads')
    await expect(page.getByRole('region', { name: 'Server', exact: true })).toContainText('16.2.5')
    await expect(page.getByText('must be text')).toBeHidden()
  } finally {
    copyFileSync(SAMPLE, manifestOf(program))
  }
})

test('without a manifest administrators see how to set it up, and users see an empty page', async ({ page, signInAs, username }) => {
  const noDownloads = (problem: null) => ({ data: { configured: false, products: [], read_at: null, problem } })
  await startSession(page, username)
  await page.route('**/api/downloads', (route) => route.fulfill({ json: noDownloads(null) }))
  await page.goto('/downloads')
  await expect(page.getByRole('heading', { name: 'Nothing to download yet' })).toBeVisible()
  const admin = await signInAs('admin')
  await admin.route('**/api/downloads', (route) => route.fulfill({ json: noDownloads(null) }))
  await admin.goto('/downloads')
  await expect(admin.getByText('DOWNLOADS_MANIFEST')).toBeVisible()
  await expectAccessible(admin, 'no downloads')
})

test('a vanity ID leads to its server, an unknown one to the error page, and the bottom bar fits a narrow phone', async ({
  page,
  signInAs,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/404 \(Not Found\)|HttpError/)
  await startSession(page, username)
  const admin = await signInAs('admin')
  const { public_id } = await createServer(page, { name: `Vanity ${username}` })
  await forceTier(admin, page, 'DIAMOND_ALTRUIST')
  const vanity = `v${username.replaceAll('_', '')}`
  await send(page, `PATCH /api/users/tokens/${public_id}`, { vanity_url: vanity })
  await page.goto(`/servers/@${vanity}?tab=listing`)
  await expect(page).toHaveURL(new RegExp(`/servers/${public_id}\\?tab=listing$`))
  await expect(page.getByRole('heading', { level: 1, name: `Vanity ${username}` })).toBeVisible()
  await page.goto('/servers/@nobody')
  await expect(page.getByRole('heading', { name: 'Whoops, something is wrong :(' })).toBeVisible()

  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/servers')
  const bar = page.getByRole('navigation', { name: 'Main' })
  for (const name of ['Servers', 'Benefits', 'Downloads', 'Settings']) {
    await expect(bar.getByRole('link', { name, exact: true })).toBeInViewport({ ratio: 1 })
    expect(await bar.getByRole('link', { name, exact: true }).evaluate((link) => link.scrollWidth <= link.clientWidth)).toBe(true)
  }
  await bar.getByRole('link', { name: 'Benefits' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Benefits' })).toBeVisible()
})

test('the benefits page leads to where people become supporters, except from the highest tier', async ({ page, signInAs, username }) => {
  await startSession(page, username)
  await page.goto('/benefits')
  const link = page.getByRole('link', { name: 'Become a supporter' })
  await expect(link).toHaveAttribute('href', 'https://support.example.com/muster')
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `benefits with a link for supporters, ${variant}`))
  await forceTier(await signInAs('admin'), page, 'DIAMOND_ALTRUIST')
  await page.reload()
  await expect(page.getByRole('region', { name: 'Your tier' })).toContainText('Altruist')
  await expect(link).toHaveCount(0)
})
