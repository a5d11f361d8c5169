/** A new user's first server: from the login page to a listed server. */
import type { Page } from '@playwright/test'
import { announce, expect, expectAccessible, holdRequests, readList, startSession, test } from '#tests/journeys/journey.ts'

/** Counts the user's clicks. */
function countClicks(page: Page) {
  let clicks = 0
  const click = async (role: 'button' | 'link', name: string | RegExp) => {
    clicks += 1
    await page.getByRole(role, { name }).click()
  }
  return { click, count: () => clicks }
}

for (const [width, when] of [
  [1440, 'after'],
  [390, 'before'],
] as const) {
  test(`from the login page to a listed server in at most seven clicks (${width} px), announced ${when} the credential is saved`, async ({
    page,
    program,
    username,
  }) => {
    await page.setViewportSize({ width, height: 900 })
    const { click, count } = countClicks(page)
    const name = `First ${username} ${width}`

    await page.goto('/login')
    await click('button', 'Sign in')
    await page.getByLabel('Another user').fill(username)
    await click('button', 'Continue')
    await expect(page.getByText('Put your first server on the list')).toBeVisible()
    await click('link', 'Create your first server')
    await page.getByLabel('Name').fill(name)
    await click('button', 'Create server')
    const credential = await page.locator('[data-credential]').innerText()
    expect(credential).toMatch(/^mst_[0-9A-Za-z]{7}_[0-9A-Za-z]{36}$/)
    await expect(page.getByRole('region', { name: 'server.toml' })).toContainText(`token = "${credential}"`)
    await expect(page.getByRole('region', { name: 'server.toml' })).toContainText(`name = "${name}"`)
    if (when === 'before') {
      await expect(page.getByText('Waiting for the first announce…')).toBeVisible()
      expect((await announce(program, credential)).status).toBe(200)
      await expect(page.getByText('The first announce has arrived.')).toBeVisible()
    }
    await click('button', 'I have saved it')
    if (when === 'after') {
      await expect(page.getByRole('heading', { name: 'Waiting for the first announce…' })).toBeVisible()
      expect((await announce(program, credential)).status).toBe(200)
    }
    await expect(page.getByRole('heading', { name: 'Your server is on the list' })).toBeVisible()
    expect(count()).toBeLessThanOrEqual(7)
    await expect.poll(() => readList(program)).toContainEqual(expect.objectContaining({ name }))
  })
}

test('a rejected first announce shows beside the credential and on the waiting page', async ({ page, program, username }) => {
  await startSession(page, username)
  await page.goto('/servers/new')
  await page.getByLabel('Name').fill(`Rejected ${username}`)
  await page.getByRole('button', { name: 'Create server' }).click()
  const credential = await page.locator('[data-credential]').innerText()
  expect((await announce(program, credential, { playersCount: -1 })).status).toBe(400)
  await expect(page.getByRole('status').filter({ hasText: 'Announce rejected' })).toBeVisible()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await expect(page.getByRole('alert')).toContainText('Announce rejected')
  await expect(page.getByRole('heading', { name: 'The announce was rejected' })).toBeVisible()
})

test('the credential is shown once, and is neither stored nor logged nor put into an address', async ({ page, username }) => {
  const logged: string[] = []
  const requested: string[] = []
  page.on('console', (message) => logged.push(message.text()))
  page.on('request', (request) => requested.push(request.url()))
  await startSession(page, username)
  await page.goto('/servers/new')
  await page.getByLabel('Name').fill(`Secret ${username}`)
  await page.getByRole('button', { name: 'Create server' }).click()
  const credential = await page.locator('[data-credential]').innerText()
  const stored = () =>
    page.evaluate(() => JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), location.href, history.state]))
  expect(await stored()).not.toContain(credential)

  // Escape and links of the navigation ask for confirmation before the dialog closes.
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Servers' }).first().click()
  await expect(page.getByRole('alertdialog')).toContainText('isn’t shown again')
  await expect(page.getByRole('button', { name: 'Stay on page' })).toBeFocused()
  await page.getByRole('button', { name: 'Stay on page' }).click()
  await expect(page.locator('[data-credential]')).toHaveText(credential)

  await page.getByRole('button', { name: 'I have saved it' }).click()
  await expect(page.getByRole('heading', { name: 'Waiting for the first announce…' })).toBeVisible()
  // The wizard has it until it is left or reloaded.
  await expect(page.getByRole('region', { name: 'server.toml' })).toContainText(credential)
  expect(await stored()).not.toContain(credential)
  expect([...logged, ...requested].join('\n')).not.toContain(credential)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Waiting for the first announce…' })).toBeVisible()
  await expect(page.locator('body')).not.toContainText(credential)
})

test('a reload beside the credential keeps the server and the step, and offers a new credential', async ({ page, program, username }) => {
  await startSession(page, username)
  await page.goto('/servers/new')
  await page.getByLabel('Name').fill(`Reload ${username}`)
  await page.getByRole('button', { name: 'Create server' }).click()
  const lost = await page.locator('[data-credential]').innerText()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  const step = page.getByRole('region', { name: 'Credential' })
  await expect(step).toContainText('can’t be shown again')
  await expectAccessible(page, 'a lost credential')
  await step.getByRole('button', { name: 'Reissue credential' }).click()
  const credential = await page.locator('[data-credential]').innerText()
  expect(credential).not.toBe(lost)
  expect((await announce(program, lost)).status).toBe(401)
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await expect(page.getByRole('region', { name: 'server.toml' })).toContainText(credential)
  expect((await announce(program, credential)).status).toBe(200)
  await expect(page.getByRole('heading', { name: 'Your server is on the list' })).toBeVisible()
  // The wizard starts again.
  await page.goto('/servers/new')
  await expect(page.getByLabel('Name')).toHaveValue('')
})

test('pressing Enter repeatedly creates one server and shows its credential', async ({ page, username }) => {
  await startSession(page, username)
  await page.goto('/servers/new')
  await page.getByLabel('Name').fill(`Twice ${username}`)
  const release = await holdRequests(page, '**/api/users/tokens', 'POST')
  await page.getByLabel('Name').press('Enter')
  await page.getByLabel('Name').press('Enter')
  await expect(page.getByRole('button', { name: 'Create server' })).toHaveAttribute('aria-busy', 'true')
  await page.getByLabel('Name').press('Enter')
  release()
  await expect(page.locator('[data-credential]')).toBeVisible()
  const owned = async () => ((await (await page.request.get('/api/users/tokens')).json()) as { data: { owned: unknown[] } }).data.owned
  expect(await owned()).toHaveLength(1)
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await expect(page.getByRole('heading', { name: 'Waiting for the first announce…' })).toBeVisible()
})
