/** API calls for journeys with several users, and checks in both themes. */
import type { Page } from '@playwright/test'
import type { TierId } from '#contract/benefits/benefits.ts'
import type { Permission } from '#contract/servers/permissions.ts'
import type { ServerTransfer } from '#contract/servers/transfers.ts'
import { createServer, expect } from './journey.ts'

/** Calls the panel's API as the user who is signed in on the page. */
export async function send<T = unknown>(page: Page, route: string, data?: unknown): Promise<T> {
  const [method, path] = route.split(' ') as [string, string]
  const reply = await page.request.fetch(path, {
    method,
    headers: { 'sec-fetch-site': 'same-origin' },
    ...(data !== undefined && { data }),
  })
  expect(reply.ok(), `${route}: ${await reply.text()}`).toBe(true)
  return reply.status() === 204 ? (undefined as T) : ((await reply.json()) as { data: T }).data
}

export async function idOf(page: Page): Promise<string> {
  return (await send<{ id: string }>(page, 'GET /api/auth/me')).id
}

/** An administrator forces a tier on the page's user, or on the given ID; null restores their own. */
export async function forceTier(admin: Page, user: Page | string, tier_id: TierId | null): Promise<void> {
  const id = typeof user === 'string' ? user : await idOf(user)
  await send(admin, `PUT /api/admin/users/${id}/tier`, { tier_id })
}

/** The owner grants the manager these permissions on all servers. */
export async function grantManager(owner: Page, manager: Page, ...permissions: Permission[]): Promise<void> {
  await send(owner, 'POST /api/users/management', { user_id: await idOf(manager), permissions })
}

export async function revokeManager(owner: Page, manager: Page): Promise<void> {
  await send(owner, 'DELETE /api/users/management', { user_id: await idOf(manager) })
}

/** An administrator lets the page's user have this many servers. */
export async function raiseLimit(admin: Page, user: Page, max: number): Promise<void> {
  await send(admin, `PATCH /api/admin/users/${await idOf(user)}`, { max_masterlist_tokens: max })
}

/** Creates a server of the administrator, whose limit all journeys of a worker share. */
export async function createVerifiedServer(admin: Page, name: string): Promise<void> {
  await raiseLimit(admin, admin, 100)
  const { public_id: id } = await createServer(admin, { name })
  await send(admin, `PATCH /api/admin/tokens/${id}`, { verified: true })
}

/** The sender asks the recipient to take over a server. */
export async function offerServer(sender: Page, publicId: string, recipient: Page): Promise<ServerTransfer> {
  return await send(sender, 'POST /api/users/tokens/transfers/create', { token_id: publicId, user_id: await idOf(recipient) })
}

type Variant = readonly [theme: 'dark' | 'light', width: number]

async function inVariants(page: Page, variants: readonly Variant[], check: (variant: string) => Promise<void>): Promise<void> {
  for (const [theme, width] of variants) {
    await page.evaluate((value) => {
      document.documentElement.dataset['theme'] = value
    }, theme)
    await page.setViewportSize({ width, height: width === 1440 ? 900 : 844 })
    await check(`${theme} at ${width}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Runs the check in both themes: dark on a desktop, light on a phone. Colours do not depend on the width. */
export async function onDesktopAndPhone(page: Page, check: (variant: string) => Promise<void>): Promise<void> {
  const variants = [
    ['dark', 1440],
    ['light', 390],
  ] as const
  await inVariants(page, variants, check)
}

/** The same with the narrowest phone. */
export async function onDesktopAndNarrowPhone(page: Page, check: (variant: string) => Promise<void>): Promise<void> {
  await inVariants(
    page,
    [
      ['dark', 1440],
      ['light', 360],
    ],
    check,
  )
}
