/** The panel's languages: which one a page has, and whether the longer words fit. */
import type { Page } from '@playwright/test'
import { API, PANEL, textsOf } from '#web/build/messages.ts'
import {
  announce,
  createServer,
  expect,
  expectAccessible,
  expectNoViolations,
  expectNoSidewaysScrolling,
  startSession,
  test,
} from '#tests/journeys/journey.ts'
import { tabTo } from '#tests/journeys/tab-to.ts'
import { idOf, send } from '#tests/journeys/users.ts'

const textIn = (language: string) => {
  const texts: Record<string, unknown> = { ...textsOf(PANEL, language), ...textsOf(API, language) }
  return (key: string) => {
    expect(texts, `${key} in ${language}`).toHaveProperty([key])
    return String(texts[key])
  }
}

async function expectLanguage(page: Page, language: string): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

test('a page is in the browser’s language, then in the chosen one, then in the account’s on every device', async ({
  browser,
  page,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/409 \(Conflict\)/)
  const [german, turkish] = [textIn('de'), textIn('tr')]
  const context = await browser.newContext({ locale: 'de-AT' })
  const visitor = await context.newPage()
  await visitor.goto('/login?next=%2Fsettings%2Fpreferences')
  await expectLanguage(visitor, 'de')
  await expect(visitor).toHaveTitle(`${german('login_title')} · Muster`)

  // A visitor can choose another language, which lasts after signing in.
  await visitor.getByRole('button', { name: 'Türkçe' }).click()
  await expectLanguage(visitor, 'tr')
  await expect(visitor).toHaveURL(/next=%2Fsettings%2Fpreferences$/)
  await expect(visitor.getByRole('button', { name: turkish('login_sign_in_local') })).toBeVisible()
  // The login page leaves as soon as it finds a session, which would abort the next navigation.
  await visitor.goto('about:blank')
  await startSession(visitor, username)

  // The account's language.
  await visitor.goto('/settings/preferences')
  await expectLanguage(visitor, 'tr')
  await visitor.getByRole('combobox', { name: turkish('preferences_language'), exact: true }).selectOption('Deutsch')
  await expectLanguage(visitor, 'tr')
  await visitor.getByRole('button', { name: turkish('preferences_language_use') }).click()
  await expectLanguage(visitor, 'de')
  await expect(visitor).toHaveURL(/\/settings\/preferences$/)
  await expect(visitor.getByRole('combobox', { name: german('preferences_language'), exact: true })).toHaveValue('de')

  // Errors of the API are in the language of the page.
  const name = `Hafen ${username}`
  const { public_id: id } = await createServer(visitor, { name })
  await visitor.goto('/servers/new')
  await visitor.getByRole('textbox', { name: german('field_name') }).fill(name)
  await visitor.getByRole('button', { name: german('servers_new_create') }).click()
  const nameTaken = String(textsOf(API, 'de')['error_server_name_taken'])
  await expect(visitor.getByRole('textbox', { name: german('field_name') })).toHaveAccessibleDescription(new RegExp(nameTaken))

  // So are the fields of recorded changes.
  await send(visitor, `PATCH /api/users/tokens/${id}`, { game_mode: 'Racing' })
  await visitor.goto(`/servers/${id}?tab=activity`)
  await expect(visitor.getByRole('tabpanel')).toContainText(german('servers_listing_game_mode'))

  // Another device follows the account.
  await startSession(page, username)
  await page.goto('/servers')
  await expectLanguage(page, 'de')
  await expect(page.getByRole('heading', { name: german('nav_servers'), exact: true })).toBeVisible()

  // Back to the browser's language.
  await visitor.goto('/settings/preferences')
  await visitor
    .getByRole('combobox', { name: german('preferences_language'), exact: true })
    .selectOption(german('preferences_language_browser'))
  await visitor.getByRole('button', { name: german('preferences_language_use') }).click()
  await expect.poll(async () => await visitor.context().cookies()).not.toContainEqual(expect.objectContaining({ name: 'muster_language' }))
  await expectLanguage(visitor, 'de')
  await context.close()
})

test('in Turkish, a server is created, edited and deleted with the keyboard alone', async ({ browser, username }) => {
  const context = await browser.newContext({ locale: 'tr' })
  const page = await context.newPage()
  const turkish = textIn('tr')
  const name = `İğdır ${username}`
  const press = (key: string) => page.keyboard.press(key)
  const runCommand = async (typed: string, command: string) => {
    await press('Control+k')
    const input = page.getByPlaceholder(turkish('shell_palette_placeholder'))
    await expect(input).toBeFocused()
    await page.keyboard.type(typed)
    await expect(page.getByRole('listbox').getByRole('option').first()).toContainText(command)
    await press('Enter')
  }
  await startSession(page, username)
  await page.goto('/servers')
  await expect(page.getByRole('heading', { level: 1, name: turkish('nav_servers') })).toBeVisible()

  await press('n')
  await expect(page.getByLabel(turkish('servers_new_name'), { exact: true })).toBeFocused()
  await page.keyboard.type(name)
  await press('Enter')
  await tabTo(page, page.getByRole('button', { name: turkish('servers_credential_saved') }))
  await press('Enter')
  await expect(page).toHaveTitle(`${turkish('new_server_waiting')} · Muster`)

  // Typed without Turkish letters.
  await runCommand('igdir liste', `${name}: liste bilgilerini düzenle`)
  await tabTo(page, page.getByLabel(turkish('field_description')))
  await page.keyboard.type('Yazıldı.')
  await tabTo(page, page.getByRole('button', { name: turkish('ui_unsaved_save') }))
  await press('Enter')
  await expect(page.getByText(turkish('servers_listing_saved'))).toBeVisible()
  await expect(page.getByRole('region', { name: turkish('ui_toasts') })).toBeAttached()
  await expect(page.getByRole('button', { name: turkish('ui_toast_close') })).toBeAttached()

  await press('g')
  await press('s')
  await expect(page).toHaveURL(/\/servers$/)
  await press('/')
  await page.keyboard.type('igdir')
  await expect(page).toHaveURL(/q=igdir/)
  await expect(page.locator('#main').getByRole('link', { name })).toBeVisible()

  await runCommand('IGDIR sil', `${name}: sil`)
  await tabTo(page, page.getByRole('button', { name: turkish('servers_danger_delete_button') }))
  await press('Enter')
  const dialog = page.getByRole('alertdialog')
  await tabTo(page, dialog.getByRole('textbox'))
  await page.keyboard.type(name)
  await tabTo(page, dialog.getByRole('button', { name: turkish('servers_delete_confirm') }))
  await press('Enter')
  await expect(page).toHaveURL(/\/servers$/)
  await expect(page.getByRole('heading', { level: 1, name: turkish('nav_servers') })).toBeVisible()
  await context.close()
})

// The languages with the longest words.
for (const [nth, language] of ['de', 'ru'].entries()) {
  test(`in ${language}, pages are accessible and none scrolls sideways`, async ({ browser, program }) => {
    const context = await browser.newContext({ locale: language })
    const page = await context.newPage()
    await startSession(page, 'admin')
    const id = await idOf(page)
    await send(page, `PATCH /api/admin/users/${id}`, { max_masterlist_tokens: 100 })
    const server = await createServer(page, { name: `Long words ${language}` })
    await announce(program, server.credential)
    const paths = [
      '/browse',
      `/s/${server.public_id}`,
      '/servers',
      `/servers/${server.public_id}`,
      `/servers/${server.public_id}?tab=listing`,
      '/benefits',
      `/admin/users/${id}/settings`,
      '/admin/users',
      `/admin/servers/${server.public_id}`,
    ]
    for (const [index, path] of paths.entries()) {
      // Neighbours have different themes, and each page has both in two languages.
      await page.emulateMedia({ colorScheme: (index + nth) % 2 === 0 ? 'light' : 'dark' })
      await page.setViewportSize({ width: 320, height: 844 })
      await page.goto(path)
      await expectLanguage(page, language)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.waitForLoadState('networkidle')
      // Only the panel has one scrolling part.
      const expectNone = /^\/(browse|s\/)/.test(path) ? expectNoViolations : expectAccessible
      await expectNone(page, `${path} in ${language}`)
      for (const width of [320, 390, 1440]) {
        await page.setViewportSize({ width, height: 844 })
        await expectNoSidewaysScrolling(page, `${path} in ${language} at ${width}`)
      }
    }
    // A label of the bottom bar is whole, or out of sight.
    await page.setViewportSize({ width: 320, height: 700 })
    await page.goto('/settings/managers')
    const field = page.getByRole('textbox', { name: textIn(language)('users_find_name') })
    await expect(field).toBeVisible()
    expect((await field.boundingBox())?.width).toBeGreaterThan(180)
    const cut = await page.getByRole('navigation', { name: textIn(language)('nav_main') }).evaluate((bar) => {
      const entries = [...bar.querySelectorAll<HTMLElement>(':scope > a, :scope > button')].filter((entry) => entry.offsetParent !== null)
      return entries.flatMap((entry) => {
        const label = [...entry.querySelectorAll('span')].find(
          ({ textContent, dataset }) => textContent !== '' && dataset['count'] === undefined,
        )
        const text = document.createRange()
        text.selectNodeContents(label ?? entry)
        const [inner, line, outer] = [text.getBoundingClientRect(), (label ?? entry).getBoundingClientRect(), entry.getBoundingClientRect()]
        const isWhole = inner.left >= outer.left && inner.right <= outer.right && inner.bottom <= outer.bottom
        return isWhole || inner.top >= line.bottom ? [] : [entry.textContent]
      })
    })
    expect(cut).toEqual([])
    await context.close()
  })
}
