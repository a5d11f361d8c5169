/** Two or more users in one journey. */
import type { Page } from '@playwright/test'
import type { TierId } from '#contract/benefits.ts'
import type { Permission } from '#contract/permissions.ts'
import { expect } from './journey.ts'

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
export async function forceTier(admin: Page, person: Page | string, tier_id: TierId | null): Promise<void> {
  const id = typeof person === 'string' ? person : await idOf(person)
  await send(admin, `PUT /api/admin/users/${id}/tier`, { tier_id })
}

/** The owner grants the manager this on all servers. */
export async function letManage(owner: Page, manager: Page, ...permissions: Permission[]): Promise<void> {
  await send(owner, 'POST /api/users/management', { user_id: await idOf(manager), permissions })
}

export async function revoke(owner: Page, manager: Page): Promise<void> {
  await send(owner, 'DELETE /api/users/management', { user_id: await idOf(manager) })
}

type Guise = readonly [theme: 'dark' | 'light', width: number]

async function inGuises(page: Page, guises: readonly Guise[], look: (guise: string) => Promise<void>): Promise<void> {
  for (const [theme, width] of guises) {
    await page.evaluate((shown) => {
      document.documentElement.dataset['theme'] = shown
    }, theme)
    await page.setViewportSize({ width, height: width === 1440 ? 900 : 844 })
    await look(`${theme} at ${width}`)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Runs `look` on the page in both themes, on a desktop and on phones. */
export async function inEveryGuise(page: Page, look: (guise: string) => Promise<void>): Promise<void> {
  // Colours do not depend on a phone's width, nor the layout on the theme.
  const guises = [
    ['dark', 1440],
    ['light', 390],
  ] as const
  await inGuises(page, guises, look)
}

/** For a page that another journey checks in every theme: desktop and the narrowest phone only. */
export async function onDeskAndPhone(page: Page, look: (guise: string) => Promise<void>): Promise<void> {
  await inGuises(
    page,
    [
      ['dark', 1440],
      ['light', 360],
    ],
    look,
  )
}
