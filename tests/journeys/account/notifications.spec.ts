/** Toasts about changes that other users make. */
import { createServer, expect, expectAccessible, openWithStream, signIn, test, timingSensitive } from '#tests/journeys/journey.ts'
import { grantManager, offerServer, revokeManager, send } from '#tests/journeys/users.ts'

timingSensitive(() => {
  test('a toast appears when others make, decline or accept an offer, but not when the user withdraws one', async ({
    page,
    username,
    signInAs,
  }) => {
    await signIn(page, username)
    const other = await signInAs(`${username}_other`)
    const { public_id } = await createServer(page, { name: `Offered ${username}` })
    const { public_id: theirs } = await createServer(other, { name: `Theirs ${username}` })

    await offerServer(other, theirs, page)
    const toast = page.getByText(`${username}_other wants to transfer Theirs ${username} to you`)
    await expect(toast).toBeVisible({ timeout: 3000 })
    // The list already shows the offer.
    await expect(page.getByText('Accept or decline it in your inbox.')).toBeHidden()
    await expectAccessible(page, 'the toast')
    await page.getByRole('link', { name: `Transfer request Theirs ${username}` }).click()
    await page.getByRole('button', { name: `Decline transfer of Theirs ${username}` }).click()
    await page.getByRole('button', { name: 'Decline transfer', exact: true }).click()
    await expect(toast).toBeHidden({ timeout: 3000 })

    await openWithStream(page, '/servers')
    const mark = page.getByRole('img', { name: `Transfer to ${username}_other pending` })
    const declined = await offerServer(page, public_id, other)
    // The end of an offer is reported only if the page has shown the offer.
    await expect(mark).toBeVisible({ timeout: 3000 })
    await send(other, `POST /api/users/tokens/transfers/${declined.id}/cancel`)
    await expect(page.getByText(`${username}_other declined Offered ${username}`)).toBeVisible({ timeout: 3000 })

    // The user withdraws the offer in another tab.
    const cancelled = await offerServer(page, public_id, other)
    await openWithStream(page, '/servers')
    await expect(mark).toBeVisible()
    await send(page, `POST /api/users/tokens/transfers/${cancelled.id}/cancel`)
    await expect(mark).toBeHidden({ timeout: 3000 })
    await page.waitForTimeout(1000)
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)

    const accepted = await offerServer(page, public_id, other)
    await expect(mark).toBeVisible({ timeout: 3000 })
    await send(other, `POST /api/users/tokens/transfers/${accepted.id}/accept`)
    await expect(page.getByText(`${username}_other accepted Offered ${username}`)).toBeVisible({ timeout: 3000 })
    await expect(page.getByRole('region', { name: 'Your servers' })).toBeHidden()
  })

  test('a toast appears when an owner grants or revokes management, but not when the user stops managing', async ({
    page,
    username,
    signInAs,
  }) => {
    await signIn(page, username)
    const owner = await signInAs(`${username}_boss`)
    await grantManager(owner, page, 'EDIT_DETAILS', 'RESET_ADDRESS')
    await expect(page.getByText(`You now manage ${username}_boss’s servers`)).toBeVisible({ timeout: 3000 })
    await expect(page.getByText('Permissions: Edit details and Reset address.')).toBeVisible()
    await revokeManager(owner, page)
    await expect(page.getByText(`You no longer manage ${username}_boss’s servers`)).toBeVisible({ timeout: 3000 })

    await grantManager(owner, page, 'EDIT_DETAILS')
    await openWithStream(page, '/servers')
    await expect(page.getByRole('region', { name: 'Managed for' })).toBeVisible()
    const { recieved_managements: received } = await send<{ recieved_managements: { id: string }[] }>(page, 'GET /api/auth/me')
    await send(page, `DELETE /api/users/management/self/${received[0]?.id}`)
    await expect(page.getByRole('region', { name: 'Managed for' })).toBeHidden({ timeout: 3000 })
    await page.waitForTimeout(1000)
    await expect(page.locator('[data-sonner-toast]')).toHaveCount(0)
  })
})
