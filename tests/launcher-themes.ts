/** Owners of launcher themes, and the images in them. */
import { expect } from 'vitest'
import type { TierId } from '#contract/benefits/benefits.ts'
import * as benefits from '#contract/benefits/benefit-settings.ts'
import type { Purpose } from '#contract/servers/images.ts'
import { forceTier } from '#contract/users/users-admin.ts'
import { createStorage } from '#backend/core/images/storage.ts'
import { storeImage } from './factories.ts'
import type { SignedInUser, TestApp } from './harness.ts'

type StoredImage = Awaited<ReturnType<typeof storeImage>>

/** An image with bytes in the storage. */
export async function uploadImage(app: TestApp, ownerId: string, purpose: Purpose, bytes: string | Buffer): Promise<StoredImage> {
  const image = await storeImage(app, ownerId, purpose)
  await storeBytes(app, image, bytes)
  return image
}

export async function storeBytes({ db, env }: TestApp, { id, file }: StoredImage, bytes: string | Buffer): Promise<void> {
  await db
    .updateTable('images')
    .set({ bytes: Buffer.byteLength(bytes) })
    .where('id', '=', id)
    .execute()
  await createStorage(env).put(file, Buffer.from(bytes), 'image/png')
}

export const base64 = (text: string): string => Buffer.from(text).toString('base64')

export async function setTier(admin: SignedInUser, id: string, tier: TierId | null): Promise<void> {
  const forced = await admin.call(forceTier, { params: { id }, body: { tier_id: tier } })
  expect(forced.status, forced.text).toBeLessThan(300)
}

/** A user who may have a launcher theme. */
export async function createSupporter(app: TestApp, admin: SignedInUser): Promise<SignedInUser> {
  const user = await app.newUser()
  await setTier(admin, user.id, 'DIAMOND_ALTRUIST')
  return user
}

export async function saveSettings(owner: SignedInUser, body: Record<string, unknown>): Promise<void> {
  const saved = await owner.call(benefits.changeSettings, { params: { key: 'CUSTOM_LAUNCHER' }, body })
  expect(saved.status, saved.text).toBe(200)
}
