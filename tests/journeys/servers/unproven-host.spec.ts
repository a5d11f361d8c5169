/** A server that names a host is no success, in the wizard and in the Connect tab, before the host is proven. */
import {
  type CreatedServer,
  announce,
  createServer,
  expect,
  expectAccessible,
  openWithStream,
  startSession,
} from '#tests/journeys/journey.ts'
import { onDesktopAndPhone } from '#tests/journeys/users.ts'
import { test } from './endpoint-program.ts'

/** Loopback addresses that nothing else uses. Nothing listens at the first one. */
const DEAD = { host: '127.0.0.14', port: 1, probe: 'tcp' } as const
const HOST = '127.0.0.15'

test('the wizard says that players don’t reach an unproven host, lets the user go on, and is done with a proven one', async ({
  page,
  program,
  username,
  answerFor,
}) => {
  await startSession(page, username)
  await page.goto('/servers/new')
  await page.getByLabel('Name').fill(`Wizard ${username}`)
  await page.getByRole('button', { name: 'Create server' }).click()
  const credential = await page.locator('[data-credential]').innerText()
  await page.getByRole('button', { name: 'I have saved it' }).click()
  await expect(page.getByRole('heading', { name: 'Waiting for the first announce…' })).toBeVisible()
  expect((await announce(program, credential, DEAD)).status).toBe(200)

  await expect(page.getByRole('heading', { name: 'Listed, but players don’t reach it yet' })).toBeVisible()
  const proof = page.getByRole('listitem').filter({ hasText: 'Public host proven' })
  await expect(proof).toContainText('not yet')
  await expect(proof).toContainText('Nothing is listening there: the connection was refused.')
  await expect(page.getByRole('link', { name: 'Open server' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Connect your server' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Next steps' })).toHaveCount(0)
  await onDesktopAndPhone(page, (variant) => expectAccessible(page, `an unproven host in the wizard, ${variant}`))

  const proven = await createServer(page, { name: `Proven ${username}` })
  await announce(program, proven.credential, { host: HOST, port: await answerFor(proven), probe: 'tcp' })
  await page.goto(`/servers/new?server=${proven.public_id}`)
  await expect(page.getByRole('heading', { name: 'Your server is on the list' })).toBeVisible()
  await expect(proof).toContainText('done')
  await expect(page.getByRole('heading', { name: 'Next steps' })).toBeVisible()
})

test('the test of the Connect tab fails while the host is unproven, and passes with a proven one', async ({
  page,
  program,
  username,
  answerFor,
}) => {
  await startSession(page, username)
  const steps = page.getByRole('region', { name: 'Test the connection' })
  const testWith = async (name: string, endpointOf: (server: CreatedServer) => Promise<Record<string, unknown>>) => {
    const server = await createServer(page, { name: `${name} ${username}` })
    const endpoint = await endpointOf(server)
    await announce(program, server.credential, endpoint)
    await openWithStream(page, `/servers/${server.public_id}?tab=connect`)
    await steps.getByRole('button', { name: 'Test now' }).click()
    await expect(steps.getByRole('status')).toHaveText('Waiting for the next announce')
    await announce(program, server.credential, endpoint)
  }
  await testWith('Silent', () => Promise.resolve({ ...DEAD, port: 2 }))
  await expect(steps.getByRole('status')).toHaveText('Listed, but players don’t reach it yet')
  await expect(steps).toContainText('Nothing is listening there: the connection was refused.')

  await testWith('Proven', async (server) => ({ host: HOST, port: await answerFor(server), probe: 'tcp' }))
  await expect(steps.getByRole('listitem').last()).toHaveText(/^Public host proven done/)
  await expect(steps.getByRole('status')).toHaveText('The test passed. Your server is on the list.')
  await expectAccessible(page, 'a passed test of a named host')
})
