/** What an owner reads and does when the address of a server is the problem, and the question that avoids it. */
import { announce, createServer, expect, expectAccessible, startSession, test } from '#tests/journeys/journey.ts'
import { onDesktopAndNarrowPhone } from '#tests/journeys/users.ts'

test('the wizard asks how players reach the server, and fills the snippets', async ({ page, username }) => {
  await startSession(page, username)
  await page.goto('/servers/new')
  await page.getByLabel('Name').fill(`Tunnelled ${username}`)
  await page.getByRole('button', { name: 'Create server' }).click()
  await page.getByText('Environment', { exact: true }).click()
  const variables = page.getByRole('region', { name: 'muster.env' })
  await expect(variables).toContainText('PORT=7788')
  await page.getByText('I don’t know').click()
  await expect(page.getByText('carrier-grade NAT')).toBeVisible()
  await expect(variables).not.toContainText('MUSTER_HOST')

  await page.getByText('Through a tunnel or proxy').click()
  const host = page.getByLabel('Public host')
  for (const wrong of ['play.example.com:99999', 'two words', '$(reboot)', 'https://play.example.com']) {
    await host.fill(wrong)
    await expect(page.getByText('Enter a host name or an IP address')).toBeVisible()
    await expect(variables).not.toContainText('MUSTER_HOST')
  }
  await host.fill('play.example.com:34567')
  // A wrong protocol never proves the host, so none is the default.
  await expect(page.getByText('Enter the host and choose the protocol.')).toBeVisible()
  await expect(variables).not.toContainText('MUSTER_HOST')
  await page.getByText('TCP', { exact: true }).click()
  await expect(page.getByText('If the tunnel leads to another local port, they can’t')).toBeVisible()
  await page.getByText('UDP', { exact: true }).click()
  await expect(page.getByText('your game must answer it: with answerProbe of the SDK')).toBeVisible()
  await expect(page.getByText('PORT is the public port of the tunnel. Your game keeps its own port.')).toBeVisible()
  await expect(variables).toContainText('MUSTER_HOST=play.example.com\nMUSTER_PROBE=udp\nPORT=34567\n')
  await page.getByText('server.toml', { exact: true }).click()
  await expect(page.getByRole('region', { name: 'server.toml' })).toContainText('host = "play.example.com"\nprobe = "udp"\nport = 34567')
  await page.getByText('Test it without a server').click()
  await expect(page.getByRole('region', { name: 'Command that sends one announce' })).toContainText(
    '{"host":"play.example.com","probe":"udp","port":34567',
  )
  await onDesktopAndNarrowPhone(page, (variant) => expectAccessible(page, `the question, ${variant}`))

  await page.getByRole('button', { name: 'I have saved it' }).click()
  await page.reload()
  await expect(host).toHaveValue('play.example.com:34567')
  await expect(page.getByRole('radio', { name: 'UDP' })).toBeChecked()
})

test('of two servers at one address, the second is not listed and leads to the first, and administrators find it', async ({
  page,
  program,
  username,
  signInAs,
}) => {
  await startSession(page, username)
  const first = await createServer(page, { name: `Harbour ${username}` })
  const second = await createServer(page, { name: `Harbour two ${username}` })
  await announce(program, first.credential, { port: 7001 })
  await announce(program, second.credential, { port: 7001 })
  await page.goto(`/servers/${second.public_id}`)
  await expect(page.locator('#main header')).toContainText('Online, not listed')
  const why = page.getByRole('region', { name: 'Why isn’t this server listed?' })
  await expect(why).toContainText(`Your server Harbour ${username} is listed at this address.`)
  await why.getByRole('link', { name: `Open Harbour ${username}` }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Harbour ${username}` })).toBeVisible()

  const admin = await signInAs('admin')
  await admin.goto(`/admin/servers?search=${username}`)
  await expect(admin.locator('tbody [data-row-link]')).toHaveCount(2)
  await admin.getByRole('button', { name: 'Address problem' }).click()
  await admin.getByRole('menuitemcheckbox', { name: 'Duplicate address' }).click()
  await expect(admin.locator('tbody [data-row-link]')).toHaveText([`Harbour two ${username}`])
})

test('two processes with one credential are a warning on a listed server, and in its announces', async ({ page, program, username }) => {
  await startSession(page, username)
  const { public_id, credential } = await createServer(page, { name: `Double ${username}` })
  for (const port of [7002, 7003, 7002, 7003, 7002]) await announce(program, credential, { port })
  await page.goto(`/servers/${public_id}`)
  const warning = page.getByRole('region', { name: 'Listed, but players may have trouble joining' })
  await expect(warning).toContainText('Another process announces with this credential, on port 7003.')
  await expect(page.locator('#main header')).toContainText('Online')
  await page.getByRole('tab', { name: 'Announces' }).click()
  await expect(page.getByRole('tabpanel')).toContainText('Accepted, but the list shows another process')
  await expect(page.getByRole('tabpanel').getByText('IPv4').first()).toBeVisible()
  await expect(warning).toContainText('Listed, with a warning')
  await warning.getByRole('button', { name: 'What to do' }).click()
  await warning.getByRole('link', { name: 'Create a second server' }).click()
  await expect(page).toHaveURL(/\/servers\/new$/)
})
