/** Transfers: offers made, accepted, declined, withdrawn, and accepted too late. */
import { announce, createServer, expect, expectAccessible, openWithStream, startSession, test } from '#tests/journeys/journey.ts'
import { tabTo } from '#tests/journeys/tab-to.ts'
import { onDesktopAndPhone, grantManager, offerServer, send } from '#tests/journeys/users.ts'

test('a server is offered and accepted, and then announces only with a new credential', async ({
  page: sender,
  openPanelAs,
  signInAs,
  program,
  username,
  allowBrowserError,
}) => {
  test.setTimeout(180_000)
  allowBrowserError(/404 \(Not Found\)/)
  await startSession(sender, username)
  const recipient = await openPanelAs(`${username}_heir`)
  const name = `Handed ${username}`
  const { public_id, credential } = await createServer(sender, { name })
  expect((await announce(program, credential)).status).toBe(200)
  await grantManager(sender, await signInAs(`${username}_aide`), 'EDIT_DETAILS')

  await sender.goto(`/servers/${public_id}?tab=danger`)
  await sender.getByRole('button', { name: 'Transfer server…' }).click()
  const dialog = sender.getByRole('dialog', { name: `Transfer ${name}` })
  await expect(dialog.getByLabel('Discord username')).toBeFocused()
  await dialog.getByLabel('Discord username').fill(username)
  await dialog.getByRole('button', { name: 'Find' }).click()
  await expect(dialog.getByLabel('Discord username')).toHaveAccessibleDescription(/already own this server/)
  await dialog.getByLabel('Discord username').fill(`@${username}_heir`)
  await dialog.getByRole('button', { name: 'Find' }).click()
  await expect(dialog.getByRole('region', { name: 'Found' })).toContainText(`${username}_heir`)
  // The dialog lists only what this server has.
  await expect(dialog).toContainText('The bound address 127.0.0.1')
  await expect(dialog).toContainText('Your manager’s access')
  await expect(dialog).not.toContainText('vanity')
  await expect(dialog).not.toContainText('group')
  const submit = dialog.getByRole('button', { name: 'Send transfer request' })
  await expect(submit).toBeDisabled()
  await onDesktopAndPhone(sender, (variant) => expectAccessible(sender, `the offer dialog, ${variant}`))
  await dialog.getByLabel('to confirm').fill(`${name}!`)
  await sender.keyboard.press('Enter')
  await expect(dialog.getByLabel('to confirm')).toHaveAccessibleDescription(`This is not the server name: ${name}`)
  await dialog.getByLabel('to confirm').fill(name)
  await submit.click()
  await expect(sender.getByRole('heading', { name: 'Transfer pending' })).toBeFocused()
  await expect(sender.getByRole('region', { name: 'Transfer pending' })).toContainText(`Waiting for ${username}_heir to accept`)
  await expect(sender.getByRole('region', { name: 'Transfer pending' })).toContainText('expires in 7 days')
  await onDesktopAndPhone(sender, (variant) => expectAccessible(sender, `on offer, ${variant}`))
  await sender.goto('/servers')
  await expect(sender.getByRole('img', { name: `Transfer to ${username}_heir pending` })).toBeVisible()
  await onDesktopAndPhone(sender, (variant) => expectAccessible(sender, `on offer in the list, ${variant}`))
  await sender.getByRole('region', { name: 'Your servers' }).getByRole('link', { name }).click()
  await sender.getByRole('link', { name: 'View transfer' }).click()
  await expect(sender).toHaveURL(/tab=danger$/)

  // The recipient's panel updates automatically.
  await recipient.getByRole('link', { name: `Transfer request ${name} from ${username}` }).click()
  const card = recipient.getByRole('article', { name: `Transfer request: ${name}` })
  await expect(card).toContainText(`${username} wants to transfer this server to you`)
  await onDesktopAndPhone(recipient, (variant) => expectAccessible(recipient, `incoming, ${variant}`))
  await card.getByRole('button', { name: `Accept transfer of ${name}` }).click()
  const accept = recipient.getByRole('alertdialog', { name: `Accept ${name}?` })
  await expect(accept).toContainText('The credential stops working at once')
  await expect(accept.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await onDesktopAndPhone(recipient, (variant) => expectAccessible(recipient, `accepting, ${variant}`))
  await accept.getByRole('button', { name: 'Accept transfer', exact: true }).click()
  // The toast disappears soon, so it is checked first.
  await expect(sender.getByText(`${username}_heir accepted ${name}`, { exact: true })).toBeVisible()
  await expect(recipient).toHaveURL(new RegExp(`/servers/${public_id}$`))
  await expect(recipient.getByRole('heading', { name: 'No credential', exact: true })).toBeVisible()
  await onDesktopAndPhone(recipient, (variant) => expectAccessible(recipient, `accepted, ${variant}`))
  expect((await announce(program, credential)).status).toBe(401)
  await expect(sender.getByRole('heading', { name: 'This server is no longer yours' })).toBeFocused()
  await expect(sender.getByText(`${username}_heir accepted the transfer of ${name} and now owns it.`)).toBeVisible()
  await onDesktopAndPhone(sender, (variant) => expectAccessible(sender, `after the transfer, ${variant}`))
  await sender.getByRole('link', { name: 'Go to your servers', exact: true }).click()
  await expect(sender.getByRole('heading', { name: 'Servers', exact: true })).toBeFocused()

  await recipient.getByRole('region', { name: 'No credential', exact: true }).getByRole('button', { name: 'Create credential…' }).click()
  await onDesktopAndPhone(recipient, (variant) => expectAccessible(recipient, `creating a credential, ${variant}`))
  await recipient.getByRole('button', { name: 'Create credential', exact: true }).click()
  const newCredential = await recipient.locator('[data-credential]').innerText()
  await recipient.getByRole('button', { name: 'I have saved it' }).click()
  await expect(recipient.getByRole('heading', { name: 'Credential', exact: true })).toBeFocused()
  await expect.poll(async () => (await announce(program, newCredential)).status).toBe(200)
  await recipient.getByRole('tab', { name: 'Activity' }).click()
  await expect(recipient.getByRole('tabpanel')).toContainText(`You accepted the server from ${username}`)
  await sender.goto('/settings/activity')
  await expect(sender.getByText(`${username}_heir accepted ${name} from you`)).toHaveCount(1)
})

test('a declined or withdrawn offer disappears from both panels', async ({ page: sender, username, signInAs }) => {
  await startSession(sender, username)
  const recipient = await signInAs(`${username}_maybe`)
  const name = `Twice ${username}`
  const { public_id } = await createServer(sender, { name })
  await sender.goto('/settings/transfers')
  await expect(sender.getByText('You have no outgoing transfers.')).toBeVisible()
  await onDesktopAndPhone(sender, (variant) => expectAccessible(sender, `no transfers, ${variant}`))
  await offerServer(sender, public_id, recipient)
  await expect(sender.getByText(`Waiting for ${username}_maybe to accept`)).toBeVisible()
  await onDesktopAndPhone(sender, (variant) => expectAccessible(sender, `outgoing, ${variant}`))

  await recipient.goto('/settings/transfers')
  await recipient.getByRole('button', { name: `Decline transfer of ${name}` }).click()
  await expect(recipient.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await recipient.getByRole('button', { name: 'Decline transfer', exact: true }).click()
  await expect(recipient.getByText('You have no incoming transfers.')).toBeVisible()
  await expect(recipient.getByRole('heading', { name: 'Incoming transfers' })).toBeFocused()
  await expect(sender.getByText('You have no outgoing transfers.')).toBeVisible()
  await expect(sender.getByText(`${username}_maybe declined ${name}`)).toBeVisible()

  await offerServer(sender, public_id, recipient)
  await expect(recipient.getByRole('article', { name: `Transfer request: ${name}` })).toBeVisible()
  await sender.goto(`/servers/${public_id}?tab=danger`)
  await sender.getByRole('button', { name: `Cancel transfer of ${name}` }).click()
  await expect(sender.getByRole('button', { name: 'Keep transfer' })).toBeFocused()
  await sender.getByRole('button', { name: 'Cancel transfer', exact: true }).click()
  await expect(sender.getByRole('button', { name: 'Transfer server…' })).toBeVisible()
  await expect(sender.getByRole('heading', { name: 'Transfer server' })).toBeFocused()
  await expect(recipient.getByText('You have no incoming transfers.')).toBeVisible()
  await expect(recipient.getByText(`${username} cancelled the transfer of ${name}`)).toBeVisible()
  await expect(recipient.getByText(`${username} wants to transfer ${name} to you`)).toBeHidden()
})

test('a server deleted elsewhere during its transfer is not called transferred', async ({
  page: sender,
  username,
  signInAs,
  allowBrowserError,
}) => {
  allowBrowserError(/404 \(Not Found\)/)
  await startSession(sender, username)
  const recipient = await signInAs(`${username}_not_yet`)
  const name = `Deleted ${username}`
  const { public_id } = await createServer(sender, { name })
  await offerServer(sender, public_id, recipient)
  await sender.goto(`/servers/${public_id}`)
  await expect(sender.getByRole('link', { name: 'View transfer' })).toBeVisible()
  await send(sender, `DELETE /api/users/tokens/${public_id}`)
  await expect(sender.getByRole('heading', { name: 'This server is no longer yours' })).toBeFocused()
  await expect(sender.getByText(`${name} was deleted or transferred. Your activity shows which, and when.`)).toBeVisible()
})

test('an offer beyond the server limit says so and cannot be accepted until the recipient makes room', async ({
  page: recipient,
  username,
  signInAs,
}) => {
  await startSession(recipient, username)
  const sender = await signInAs(`${username}_giver`)
  const mine: string[] = []
  for (const each of ['a', 'b', 'c']) mine.push((await createServer(recipient, { name: `Mine ${each} ${username}` })).public_id)
  const name = `Too many ${username}`
  const { public_id } = await createServer(sender, { name })
  await offerServer(sender, public_id, recipient)
  await recipient.goto('/settings/transfers')
  const accept = recipient.getByRole('button', { name: `Accept transfer of ${name}` })
  await expect(accept).toHaveAttribute('aria-disabled', 'true')
  await expect(accept).toHaveAccessibleDescription(/You can’t accept yet.*3 of 3 servers/)
  await accept.click({ force: true })
  await expect(recipient.getByRole('alertdialog')).toBeHidden()
  await onDesktopAndPhone(recipient, (variant) => expectAccessible(recipient, `an obstacle, ${variant}`))
  // Deleting a server enables the button without a reload.
  await recipient.goto(`/servers/${mine[0]}?tab=danger`)
  await recipient.getByRole('button', { name: 'Delete server…' }).click()
  await recipient.getByLabel('to confirm').fill(`Mine a ${username}`)
  await recipient.getByRole('button', { name: 'Delete server', exact: true }).click()
  await expect(recipient.getByText('2 of 3')).toBeVisible()
  await recipient.getByRole('link', { name: 'Transfer request' }).click()
  await expect(recipient.getByText('You can’t accept yet.')).toBeHidden()
  await expect(accept).not.toHaveAttribute('aria-disabled')
})

test('the dialog of an offer closes when the offer ends, and the focus moves to the page', async ({
  page: recipient,
  signInAs,
  username,
}) => {
  await startSession(recipient, username)
  const sender = await signInAs(`${username}_quick`)
  const name = `Quick ${username}`
  const { public_id } = await createServer(sender, { name })
  const first = await offerServer(sender, public_id, recipient)
  await openWithStream(recipient, '/settings/transfers')
  await recipient.getByRole('button', { name: `Accept transfer of ${name}` }).click()
  await expect(recipient.getByRole('alertdialog')).toContainText(`Its past activity stays with ${username}_quick.`)
  await send(sender, `POST /api/users/tokens/transfers/${first.id}/cancel`)
  await expect(recipient.getByRole('heading', { name: 'Incoming transfers' })).toBeFocused()
  await expect(recipient.getByText(`${username}_quick cancelled the transfer of ${name}`)).toBeVisible()

  const second = await offerServer(sender, public_id, recipient)
  await sender.goto('/settings/transfers')
  await sender.getByRole('button', { name: `Cancel transfer of ${name}` }).click()
  await expect(sender.getByRole('button', { name: 'Keep transfer' })).toBeFocused()
  await send(recipient, `POST /api/users/tokens/transfers/${second.id}/accept`)
  await expect(sender.getByRole('heading', { name: 'Outgoing transfers' })).toBeFocused()
})

test('accepting a withdrawn offer shows an error', async ({ page: recipient, username, signInAs, allowBrowserError }) => {
  allowBrowserError(/404 \(Not Found\)|ERR_FAILED/)
  await startSession(recipient, username)
  const sender = await signInAs(`${username}_fickle`)
  const name = `Late ${username}`
  const { public_id } = await createServer(sender, { name })
  const { id } = await offerServer(sender, public_id, recipient)
  await recipient.goto('/settings/transfers')
  await recipient.getByRole('button', { name: `Accept transfer of ${name}` }).click()
  // The list cannot be read, so the dialog stays open after the offer ends.
  await recipient.route('**/api/users/tokens', (route) => route.abort())
  await send(sender, `POST /api/users/tokens/transfers/${id}/cancel`)
  await recipient.getByRole('button', { name: 'Accept transfer', exact: true }).click()
  await expect(recipient.getByRole('alert').filter({ hasText: 'transfer' })).toBeVisible()
})

test('a transfer by keyboard', async ({ page: sender, username, openPanelAs, allowBrowserError }) => {
  // The page may request the server once more after the transfer.
  allowBrowserError(/404 \(Not Found\)/)
  await startSession(sender, username)
  const recipient = await openPanelAs(`${username}_keys`)
  const name = `No mouse ${username}`
  const { public_id } = await createServer(sender, { name })
  await sender.goto(`/servers/${public_id}?tab=danger`)
  await tabTo(sender, sender.getByRole('button', { name: 'Transfer server…' }))
  await sender.keyboard.press('Enter')
  await sender.keyboard.type(`${username}_keys`)
  await sender.keyboard.press('Enter')
  await expect(sender.getByRole('region', { name: 'Found' })).toBeVisible()
  await tabTo(sender, sender.getByLabel('to confirm'))
  await sender.keyboard.type(name)
  await sender.keyboard.press('Enter')
  await expect(sender.getByRole('heading', { name: 'Transfer pending' })).toBeFocused()

  const line = recipient.getByRole('link', { name: 'Transfer request' })
  await expect(line).toBeVisible()
  await tabTo(recipient, line)
  await recipient.keyboard.press('Enter')
  const accept = recipient.getByRole('button', { name: `Accept transfer of ${name}` })
  await expect(accept).toBeVisible()
  await tabTo(recipient, accept)
  await recipient.keyboard.press('Enter')
  await expect(recipient.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await recipient.keyboard.press('Tab')
  await recipient.keyboard.press('Enter')
  await expect(recipient).toHaveURL(new RegExp(`/servers/${public_id}$`))
  await expect(recipient.getByRole('heading', { level: 1, name })).toBeFocused()
})
