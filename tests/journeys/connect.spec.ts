/** How a game server is connected: the guide in the wizard and on the server's page, and the test that watches for an announce. */
import { announce, expect, expectAccessible, startSession, test } from './journey.ts'

test('the guide keeps the choice and, in the wizard, the credential, and the test ticks off the next announce', async ({
  page,
  program,
  username,
}) => {
  await startSession(page, username)
  await page.goto('/servers/new')
  await page.getByLabel('Name').fill(`Connected ${username}`)
  await page.getByRole('button', { name: 'Create server' }).click()
  const credential = await page.locator('[data-credential]').innerText()
  const commands = page.getByRole('region', { name: 'Commands' })
  await page.getByRole('radio', { name: 'server.toml' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect(commands).toContainText(`MUSTER_CREDENTIAL=${credential}`)
  await page.getByText('JavaScript / TypeScript').click()
  await expect(page.getByRole('region', { name: 'Code to paste into your server' })).toContainText(`url: '${program.listUrl}'`)
  await page.getByText('Python', { exact: true }).click()
  await expect(page).toHaveURL(/with=python/)
  await expect(page.getByRole('region', { name: 'announce.py' })).toContainText('MUSTER_CREDENTIAL')
  await expect(page.getByText('Set PORT and MAX_PLAYERS to the values of your game.')).toBeVisible()

  await page.getByRole('button', { name: 'I have saved it' }).click()
  await expect(page.getByRole('heading', { name: 'New server' })).toBeFocused()
  await expect.poll(() => page.locator('main').evaluate(({ scrollTop }) => scrollTop)).toBe(0)
  await expect(commands).toContainText(`MUSTER_CREDENTIAL=${credential}`)
  await page.reload()
  await expect(commands).toContainText(`MUSTER_URL=${program.listUrl}`)
  await expect(commands).toContainText('MUSTER_CREDENTIAL=YOUR_CREDENTIAL')
  await page.getByText('Still waiting?').click()
  await expect(page.getByText('Check that the program is running.')).toBeVisible()
  await expectAccessible(page, 'the waiting step')
  expect((await announce(program, credential, { port: 27415 })).status).toBe(200)
  await expect(page.getByRole('heading', { name: 'Next steps' })).toBeVisible()
  await page.getByRole('link', { name: 'Add tags' }).click()

  // Remembers Python, and knows the port.
  await page.getByRole('tab', { name: 'Connect' }).click()
  await expect(commands).toContainText('PORT=27415')
  await expect(page.getByText('reissue it here')).toBeVisible()
  await page.getByText('Docker', { exact: true }).click()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download compose.yaml' }).click()])
  expect(file.suggestedFilename()).toBe('compose.yaml')
  await page.getByRole('button', { name: 'Test now' }).click()
  const steps = page.getByRole('region', { name: 'Test the connection' })
  await expect(steps.getByRole('listitem')).toHaveCount(2)
  await expect(steps.getByRole('status')).toHaveText('Waiting for the next announce')
  expect((await announce(program, credential, { playersCount: -1 })).status).toBe(400)
  await expect(steps).toContainText('Announce rejected')
  expect((await announce(program, credential)).status).toBe(200)
  await expect(steps).toContainText('Announce received from')
  await expect(steps.getByRole('status')).toHaveText('The test passed. Your server is on the list.')
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 360, height: 740 })
  await expectAccessible(page, 'the Connect tab')
})
