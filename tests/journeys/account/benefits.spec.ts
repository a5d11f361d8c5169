/** Benefits: what a user has, why the rest is locked, and what administrators grant, in two browsers. */
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import { BENEFIT_KEYS, TIERS, TIER_IDS, lowestTierWith } from '#contract/benefits/benefits.ts'
import { createServer, expect, expectAccessible, startSession, test } from '#tests/journeys/journey.ts'
import { forceTier, idOf, onDesktopAndPhone, send } from '#tests/journeys/users.ts'

const ADMINISTRATORS_ONLY = 'This route can only be accessed by users with administrative privileges.'

test('each locked benefit names its tier, and an administrator’s override or grant shows on the owner’s open page', async ({
  page: owner,
  signInAs,
  username,
}) => {
  test.setTimeout(180_000)
  await startSession(owner, username)
  await owner.goto('/benefits')
  for (const key of BENEFIT_KEYS) {
    const tier = lowestTierWith(key)
    const card = owner.getByRole('article', { name: BENEFITS[key].name(), exact: true })
    if (tier === null) await expect(card).toContainText('Granted by administrators only')
    else if (tier === TIER_IDS.at(-1)) await expect(card).toHaveText(new RegExp(`${TIERS[tier].name}(?! and up)`))
    else await expect(card).toContainText(`${TIERS[tier].name} and up`)
  }
  await onDesktopAndPhone(owner, (variant) => expectAccessible(owner, `no benefits, ${variant}`))

  const admin = await signInAs('admin')
  await admin.goto('/benefits')
  await admin.getByRole('button', { name: 'Benefits of another user' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Benefits of another user' })
  await dialog.getByLabel('Discord username').fill(username)
  await dialog.getByRole('button', { name: 'Find' }).click()
  await expectAccessible(admin, 'finding a user')
  await dialog.getByRole('button', { name: 'Open benefits' }).click()
  await expect(admin.getByRole('heading', { level: 1, name: username })).toBeVisible()
  await admin.getByLabel('Effective tier').selectOption('GOLD')
  await admin.getByRole('button', { name: 'Override tier…' }).click()
  // The dialog lists the changes before they are made.
  const override = admin.getByRole('alertdialog', { name: `Override ${username}’s tier with Gold?` })
  await expect(override.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(override).toContainText(
    `${username} gains Custom Server Appearance, Cloud Auth, Server Groups, Custom Banner and Custom Vanity URL.`,
  )
  await expect(override).toContainText('The limit changes from 3 to 12 servers.')
  await override.getByRole('button', { name: 'Override with Gold' }).click()
  await expect(admin.getByText('Tier overridden with Gold', { exact: true })).toBeVisible()

  // The owner's panel updates automatically.
  const banner = owner.getByRole('article', { name: 'Custom Banner' })
  await expect(banner).toContainText('With Gold')
  await expect(banner.getByRole('link', { name: 'Custom Banner settings' })).toHaveAttribute('href', '/benefits/custom_banner')
  await expect(owner.getByRole('region', { name: 'Your tier' })).toContainText('Set by an administrator')
  await expect(owner.getByRole('listitem').filter({ has: owner.getByText('Your tier', { exact: true }) })).toContainText('Gold')

  const row = admin.getByRole('listitem').filter({ has: admin.getByRole('heading', { name: 'Custom Banner' }) })
  await expect(row).toContainText('Included in Gold')
  await expect(row.getByRole('button')).toHaveCount(0)
  await admin.getByRole('button', { name: 'Grant Promotion' }).click()
  await expect(admin.getByRole('button', { name: 'Revoke Promotion' })).toBeVisible()
  await onDesktopAndPhone(admin, (variant) => expectAccessible(admin, `a user’s benefits, ${variant}`))

  const promotion = owner.getByRole('article', { name: 'Promotion' })
  await expect(promotion).toContainText('Granted to you')
  const { public_id } = await createServer(owner, { name: `Promoted ${username}` })
  await send(owner, `PATCH /api/users/tokens/${public_id}`, { promoted: true })
  await owner.reload()
  await expect(promotion.getByRole('link', { name: `Promoted ${username}` })).toHaveAttribute('href', `/servers/${public_id}`)
  await expectAccessible(owner, 'some benefits')

  // A grant that the tier includes is visible and can be revoked.
  await admin.getByLabel('Effective tier').selectOption('RUBY')
  await admin.getByRole('button', { name: 'Override tier…' }).click()
  await admin.getByRole('button', { name: 'Override with Ruby' }).click()
  const granted = admin.getByRole('listitem').filter({ has: admin.getByRole('heading', { name: 'Promotion' }) })
  await expect(granted).toContainText('Included in Ruby. Also granted')
  await granted.getByRole('button', { name: 'Revoke Promotion' }).click()
  await expect(granted.getByRole('button')).toHaveCount(0)
  await expect(promotion).toContainText('With Ruby')

  // The settings are kept, and the page says that players do not see them.
  await admin.getByRole('button', { name: 'Remove override…' }).click()
  await expect(admin.getByRole('alertdialog')).toContainText('The settings are kept, but hidden from players.')
  await admin.getByRole('button', { name: 'Remove override', exact: true }).click()
  await expect(promotion).toContainText(`Your settings are kept, but hidden from players: Promoted ${username}`)
  await expect(banner).toContainText('Gold and up')

  // No event reports another user's change: the page reloads when the administrator returns to it.
  await admin.getByRole('link', { name: 'Benefits', exact: true }).first().click()
  await expect(admin.getByRole('heading', { level: 1, name: 'Benefits', exact: true })).toBeVisible()
  await forceTier(admin, owner, 'BRONZE')
  await admin.goBack()
  await expect(admin.getByLabel('Effective tier')).toHaveValue('BRONZE')
})

test('granting Admin asks for confirmation, and only then opens the admin pages to the user', async ({
  page: user,
  signInAs,
  username,
  allowBrowserError,
}) => {
  allowBrowserError(/administrative privileges/)
  // The page may send one more call before it redirects a former administrator.
  allowBrowserError(/403 \(Forbidden\) .*\/api\/admin\//)
  await startSession(user, username)
  const id = await idOf(user)
  await user.goto(`/admin/users/${id}/benefits`)
  await expect(user.getByRole('alert')).toContainText(ADMINISTRATORS_ONLY)
  await expect(user.getByText(ADMINISTRATORS_ONLY, { exact: true })).toBeVisible()
  await user.goto('/admin/no-such-page')
  await expect(user.getByText(ADMINISTRATORS_ONLY, { exact: true })).toBeVisible()

  const admin = await signInAs('admin')
  await admin.goto(`/admin/users/${id}/benefits`)
  await admin.getByRole('button', { name: /^Grant… Admin/ }).click()
  const confirmation = admin.getByRole('alertdialog', { name: `Make ${username} an administrator?` })
  await expect(confirmation.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await onDesktopAndPhone(admin, (variant) => expectAccessible(admin, `making an administrator, ${variant}`))
  await confirmation.getByRole('button', { name: 'Grant Admin' }).click()
  await expect(admin.getByRole('button', { name: /^Revoke… Admin/ })).toBeFocused()

  await user.goto(`/admin/users/${id}/benefits`)
  await user.getByRole('button', { name: /^Revoke… Admin/ }).click()
  await user.getByRole('button', { name: 'Revoke Admin' }).click()
  await expect(user).toHaveURL(/\/benefits$/)
  await expect(user.getByRole('article', { name: 'Admin' })).toContainText('Granted by administrators only')
})
