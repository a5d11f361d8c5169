/** Benefits: what a user has, why the rest is locked, and what administrators grant, in two browsers at once. */
import { BENEFIT_KEYS, BENEFITS, TIERS, lowestTierWith } from '#contract/benefits.ts'
import { createServer, expect, expectSound, signIn, test } from './journey.ts'
import { forceTier, idOf, inEveryGuise, send } from './people.ts'

const REFUSAL = 'This route can only be accessed by users with administrative privileges.'

test('each benefit says why it is locked, and a tier forced by an administrator unlocks it on the open page', async ({
  page: owner,
  openPanelAs,
  username,
}) => {
  test.setTimeout(180_000)
  await signIn(owner, username)
  await owner.goto('/benefits')
  for (const key of BENEFIT_KEYS) {
    const tier = lowestTierWith(key)
    const card = owner.getByRole('article', { name: BENEFITS[key].name, exact: true })
    await expect(card).toContainText(tier === null ? 'Granted by administrators only' : `${TIERS[tier].name} and up`)
    if (tier !== null) await expect(card).toContainText(`You have no tier. This benefit comes with ${TIERS[tier].name}.`)
  }
  await inEveryGuise(owner, (guise) => expectSound(owner, `no benefits, ${guise}`))

  const admin = await openPanelAs('admin')
  await admin.goto('/benefits')
  await admin.getByRole('button', { name: 'Benefits of another user' }).click()
  const dialog = admin.getByRole('dialog', { name: 'Benefits of another user' })
  await dialog.getByLabel('Exact Discord name').fill(username)
  await dialog.getByRole('button', { name: 'Find' }).click()
  await expectSound(admin, 'finding a user')
  await dialog.getByRole('button', { name: 'Open benefits' }).click()
  await expect(admin.getByRole('heading', { level: 1, name: username })).toBeVisible()
  await admin.getByLabel('Effective tier').selectOption('GOLD')
  await admin.getByRole('button', { name: 'Override tier…' }).click()
  // The dialog names the changes first.
  const forcing = admin.getByRole('alertdialog', { name: `Override the tier of ${username} with Gold?` })
  await expect(forcing.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(forcing).toContainText('Gains Custom Server Appearance, Cloud Auth, Server Groups, Custom Banner, and Custom Vanity URL.')
  await expect(forcing).toContainText('May have 12 servers instead of 3.')
  await forcing.getByRole('button', { name: 'Override with Gold' }).click()
  await expect(admin.getByText('Tier overridden with Gold', { exact: true })).toBeVisible()

  // The other panel updates automatically.
  const banner = owner.getByRole('article', { name: 'Custom Banner' })
  await expect(banner).toContainText('With Gold')
  await expect(banner.getByRole('link', { name: 'Settings of Custom Banner' })).toHaveAttribute('href', '/benefits/custom_banner')
  await expect(owner.getByRole('region', { name: 'Your tier' })).toContainText('Set by an administrator')
  await expect(owner.getByRole('listitem').filter({ has: owner.getByText('Your tier', { exact: true }) })).toContainText('Gold')

  const row = admin.getByRole('listitem').filter({ has: admin.getByRole('heading', { name: 'Custom Banner' }) })
  await expect(row).toContainText('Included in Gold')
  await expect(row.getByRole('button')).toHaveCount(0)
  await admin.getByRole('button', { name: 'Grant Promotion' }).click()
  await expect(admin.getByRole('button', { name: 'Revoke Promotion' })).toBeVisible()
  await inEveryGuise(admin, (guise) => expectSound(admin, `user’s benefits, ${guise}`))

  const promotion = owner.getByRole('article', { name: 'Promotion' })
  await expect(promotion).toContainText('Granted to you')
  const { public_id } = await createServer(owner, { name: `Promoted ${username}` })
  await send(owner, `PATCH /api/users/tokens/${public_id}`, { promoted: true })
  await owner.reload()
  await expect(promotion.getByRole('link', { name: `Promoted ${username}` })).toHaveAttribute('href', `/servers/${public_id}`)
  await expectSound(owner, 'some benefits')

  // A grant that a tier covers is visible and can be removed.
  await admin.getByLabel('Effective tier').selectOption('RUBY')
  await admin.getByRole('button', { name: 'Override tier…' }).click()
  await admin.getByRole('button', { name: 'Override with Ruby' }).click()
  const granted = admin.getByRole('listitem').filter({ has: admin.getByRole('heading', { name: 'Promotion' }) })
  await expect(granted).toContainText('Included in Ruby. Also granted')
  await granted.getByRole('button', { name: 'Revoke Promotion' }).click()
  await expect(granted.getByRole('button')).toHaveCount(0)
  await expect(promotion).toContainText('With Ruby')

  // The setting stays, and the page says that players do not see it.
  await admin.getByRole('button', { name: 'Remove override…' }).click()
  await expect(admin.getByRole('alertdialog')).toContainText('Their settings are kept, but hidden from players.')
  await admin.getByRole('button', { name: 'Remove override', exact: true }).click()
  await expect(promotion).toContainText(`Your settings are kept, but hidden from players: Promoted ${username}`)
  await expect(banner).toContainText('You have no tier.')

  // Nothing notifies the page of other users' changes: it reloads when the user returns.
  await admin.getByRole('link', { name: 'Benefits', exact: true }).first().click()
  await expect(admin.getByRole('heading', { level: 1, name: 'Benefits', exact: true })).toBeVisible()
  await forceTier(admin, owner, 'BRONZE')
  await admin.goBack()
  await expect(admin.getByLabel('Effective tier')).toHaveValue('BRONZE')
})

test('making a user an administrator asks for confirmation, and only then the admin pages open', async ({
  page: other,
  openPanelAs,
  username,
  expectComplaint,
}) => {
  expectComplaint(/administrative privileges/)
  // The page may send one more call before a former administrator leaves it.
  expectComplaint(/403 \(Forbidden\) .*\/api\/admin\//)
  await signIn(other, username)
  const id = await idOf(other)
  await other.goto(`/admin/users/${id}/benefits`)
  await expect(other.getByRole('alert')).toContainText(REFUSAL)
  await expect(other.getByText(REFUSAL, { exact: true })).toBeVisible()
  await other.goto('/admin/no-such-page')
  await expect(other.getByText(REFUSAL, { exact: true })).toBeVisible()

  const admin = await openPanelAs('admin')
  await admin.goto(`/admin/users/${id}/benefits`)
  await admin.getByRole('button', { name: /^Grant… Admin/ }).click()
  const question = admin.getByRole('alertdialog', { name: `Make ${username} an administrator?` })
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await inEveryGuise(admin, (guise) => expectSound(admin, `making an administrator, ${guise}`))
  await question.getByRole('button', { name: 'Grant Admin' }).click()
  await expect(admin.getByRole('button', { name: /^Revoke… Admin/ })).toBeFocused()

  await other.goto(`/admin/users/${id}/benefits`)
  await other.getByRole('button', { name: /^Revoke… Admin/ }).click()
  await other.getByRole('button', { name: 'Revoke Admin' }).click()
  await expect(other).toHaveURL(/\/benefits$/)
  await expect(other.getByRole('article', { name: 'Admin' })).toContainText('Granted by administrators only')
})
