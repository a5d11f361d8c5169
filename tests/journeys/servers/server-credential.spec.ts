/** The credential of a server: reissued, bound to an address, deleted with it, and rejected announces. */
import { announce, createServer, expect, expectAccessible, isListed, openWithStream, startSession, test } from '#tests/journeys/journey.ts'
import { onDesktopAndPhone } from '#tests/journeys/users.ts'

test('after a reissue with a grace period both credentials work, and the dialog closes only by its button', async ({
  page,
  program,
  username,
}) => {
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Reissue ${username}` })
  expect((await announce(program, credential)).status).toBe(200)
  await page.goto(`/servers/${public_id}`)
  await expect(page.getByText('Online', { exact: true }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Reissue credential…' }).click()
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await page.getByLabel('In 24 hours').check()
  await page.getByRole('button', { name: 'Reissue credential', exact: true }).click()
  const reissued = await page.locator('[data-credential]').innerText()
  expect(reissued).not.toBe(credential)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(page.locator('[data-credential]')).toBeVisible()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(page.getByText('Old credential valid for')).toBeVisible()
  for (const each of [credential, reissued]) expect((await announce(program, each)).status).toBe(200)
})

test('after a reissue without a grace period the old credential is rejected', async ({ page, program, username }) => {
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Leaked ${username}` })
  await announce(program, credential)
  await page.goto(`/servers/${public_id}`)
  await page.getByRole('button', { name: 'Reissue credential…' }).click()
  await page.getByRole('radio', { name: /^Now/ }).check()
  await page.getByRole('button', { name: 'Reissue credential', exact: true }).click()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  expect((await announce(program, credential)).status).toBe(401)
  await page.getByRole('tab', { name: 'Announces' }).click()
  await page.getByRole('tabpanel').getByText('Technical details').first().click()
  await expect(page.getByText('CREDENTIAL_REVOKED').first()).toBeVisible()
  await expect(page.getByRole('tabpanel').getByText('Put the newest credential')).toBeVisible()
})

test('a bound address can be reset', async ({ page, program, username }) => {
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Moved ${username}` })
  await announce(program, credential)
  await page.goto(`/servers/${public_id}`)
  await page.getByRole('button', { name: 'Reset address…' }).click()
  await expect(page.getByRole('alertdialog')).toContainText('127.0.0.1')
  await page.getByRole('button', { name: 'Reset address', exact: true }).click()
  await expect(page.getByText('Address reset')).toBeVisible()
  await expect(page.getByText('Not bound yet.')).toBeVisible()
})

test('deletion asks for the name, and takes the server off the list', async ({ page, program, username }) => {
  await startSession(page, username)
  const name = `Gone ${username}`
  const { public_id, credential } = await createServer(page, { name })
  await announce(program, credential)
  await page.goto(`/servers/${public_id}?tab=danger`)
  await page.getByRole('button', { name: 'Delete server…' }).click()
  const confirm = page.getByRole('button', { name: 'Delete server', exact: true })
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(confirm).toBeDisabled()
  await page.getByLabel('to confirm').fill('something else')
  await page.keyboard.press('Enter')
  await expect(confirm).toBeDisabled()
  await page.getByLabel('to confirm').fill(name)
  await confirm.click()
  await expect(page).toHaveURL(/\/servers$/)
  await expect(page.getByText('Server deleted')).toBeVisible()
  await expect(page.getByText('Put your first server on the list')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Recently deleted' })).toContainText(name)
  await expect.poll(() => isListed(program, public_id)).toBe(false)
})

test('a rejected announce made while another tab was open shows on the Announces tab', async ({ page, program, username }) => {
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Missed ${username}` })
  await openWithStream(page, `/servers/${public_id}?tab=announces`)
  await expect(page.getByText('No announces yet')).toBeVisible()
  await page.getByRole('tab', { name: 'Overview' }).click()
  expect((await announce(program, credential, { playersCount: -1 })).status).toBe(400)
  await expect(page.getByText('was rejected')).toBeVisible()
  await page.getByRole('tab', { name: 'Announces' }).click()
  const entries = page.getByRole('tabpanel').getByRole('listitem')
  await expect(entries).toContainText(['Rejected'])
  // Equal rejections are one entry. Different ones with the same code are not.
  for (const body of [{ playersCount: -1 }, { maxPlayersCount: 0 }]) expect((await announce(program, credential, body)).status).toBe(400)
  await expect(entries).toContainText([/maxPlayersCount must/, /2 times.*playersCount must/s])
})

test('a rejected announce is explained in plain words, with its code in a disclosure', async ({ page, program, username }) => {
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Garbled ${username}` })
  const headers = { authorization: `Bearer ${credential}`, 'content-type': 'application/json' }
  expect((await fetch(`${program.listUrl}/announce`, { method: 'POST', headers, body: '{' })).status).toBe(400)
  await page.goto(`/servers/${public_id}?tab=announces`)
  const tab = page.getByRole('tabpanel')
  await expect(tab).toContainText('Update the game server.')
  await expect(tab.getByText('BODY_NOT_JSON')).toBeHidden()
  await tab.locator('summary', { hasText: 'Technical details' }).click()
  await expect(tab.getByText('BODY_NOT_JSON')).toBeVisible()
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `a rejected announce, ${variant}`))
})

test('after an immediate reissue the server counts as silent, not as never seen', async ({ page, program, username }) => {
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Again ${username}` })
  await announce(program, credential)
  await page.request.patch(`/api/users/tokens/${public_id}/reissue`, { headers: { 'sec-fetch-site': 'same-origin' } })
  await page.goto(`/servers/${public_id}`)
  await expect(page.getByText('Offline. No announces since')).toBeVisible()
  await page.goto('/servers')
  await expect(page.getByText('never', { exact: true })).toBeHidden()
})

test('a new credential can be copied in its dialog without the clipboard of a secure origin', async ({ page, username }) => {
  await page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
  await startSession(page, username)
  const { public_id } = await createServer(page, { name: `Copy ${username}` })
  await page.goto(`/servers/${public_id}`)
  await page.getByRole('button', { name: 'Reissue credential…' }).click()
  await page.getByRole('button', { name: 'Reissue credential', exact: true }).click()
  const credential = await page.locator('[data-credential]').innerText()
  const copied = page.evaluate(
    () => new Promise((resolve) => addEventListener('copy', () => resolve((document.activeElement as HTMLTextAreaElement).value))),
  )
  await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).first().click()
  await expect(page.getByRole('dialog').getByText('Copied').first()).toBeVisible()
  expect(await copied).toContain(credential)
})

test('a second reissue warns that the older of two credentials stops working', async ({ page, program, username }) => {
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Twice ${username}` })
  await announce(program, credential)
  await page.goto(`/servers/${public_id}`)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Reissue credential…' }).click()
  await expect(dialog).not.toContainText('Two credentials work now')
  await page.getByRole('button', { name: 'Reissue credential', exact: true }).click()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.getByRole('button', { name: 'Reissue credential…' }).click()
  await expect(dialog).toContainText('Two credentials work now')
})
