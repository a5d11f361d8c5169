/** The sweep of unused images. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Image } from '#contract/servers/images.ts'
import { createStorage } from './storage.ts'
import { copyImage, lockOrCopyImage } from './images.ts'
import { sweepImages } from './sweep-images.ts'
import { createFileCache } from './image-services.ts'
import { buildServer } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { fileOf, imageBytes, pathOf, upload } from '#tests/images/upload.ts'

let app: TestApp
const folder = mkdtempSync(join(tmpdir(), 'muster-images-'))

beforeAll(async () => {
  app = await startApp({ DATA_DIR: folder })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const ALL_AGES = { unusedSeconds: 0, scheduledSeconds: 0 }
const stored = () =>
  (existsSync(join(folder, 'images')) ? readdirSync(join(folder, 'images'), { recursive: true }) : []).filter((name) =>
    /\./.test(String(name)),
  )
const sweep = (ages = ALL_AGES) => {
  const storage = createStorage(app.env)
  return sweepImages(app, { storage, cache: createFileCache(app.clock, storage) }, ages)
}
const rowsOf = (ownerId: string) => app.db.selectFrom('images').selectAll().where('owner_id', '=', ownerId).execute()

test('deletes unused images and keeps used ones', async () => {
  const alice = await app.newUser()
  const [used, banner, unused] = [await upload(alice), await upload(alice, 'BANNER'), await upload(alice)]
  const server = await buildServer(alice)
  await app.db.updateTable('servers').set({ icon_image_id: used.id }).where('public_id', '=', server.public_id).execute()
  await app.db.insertInto('benefit_settings').values({ user_id: alice.id, key: 'CUSTOM_BANNER', image_id: banner.id }).execute()
  await sweep({ unusedSeconds: 86_400, scheduledSeconds: 3600 })
  expect(await rowsOf(alice.id)).toHaveLength(3)
  await sweep()
  expect((await rowsOf(alice.id)).map((row) => row.id).toSorted()).toEqual([used.id, banner.id].toSorted())
  const names = stored().map((name) => String(name).slice(3))
  expect(names).toEqual(expect.arrayContaining([fileOf(used), fileOf(banner)]))
  expect(names).not.toContain(fileOf(unused))
  expect(await app.db.selectFrom('file_deletions').selectAll().execute()).toEqual([])
})

test('removes deleted files from the cache, at once on this node and within minutes on others', async () => {
  const alice = await app.newUser()
  const image = await upload(alice)
  const status = async () => (await fetch(`${app.listUrl}${pathOf(image)}`)).status
  expect(await status()).toBe(200)
  const cache = createFileCache(app.clock, createStorage(app.env))
  cache.set(fileOf(image), imageBytes)
  await app.db.deleteFrom('images').where('owner_id', '=', alice.id).execute()
  await sweepImages(app, { storage: createStorage(app.env), cache }, { unusedSeconds: 86_400, scheduledSeconds: 0 })
  expect(cache.get(fileOf(image))).toBeUndefined()
  // The program itself did not sweep, so it acts as the other node.
  expect(await status()).toBe(200)
  app.clock.advance(5 * 60_000 + 1)
  expect(await status()).toBe(404)
})

test('deletes a file that two images share when the second one is deleted', async () => {
  const [alice, bob] = [await app.newUser(), await app.newUser()]
  const image = await upload(alice)
  await app.db.transaction().execute((trx) => copyImage(trx, image.id, bob.id))
  await app.db.deleteFrom('images').where('owner_id', '=', alice.id).execute()
  await sweep({ unusedSeconds: 86_400, scheduledSeconds: 0 })
  expect(stored().join(' ')).toContain(fileOf(image))
  await app.db.deleteFrom('images').where('owner_id', '=', bob.id).execute()
  await sweep({ unusedSeconds: 86_400, scheduledSeconds: 0 })
  expect(stored().join(' ')).not.toContain(fileOf(image))
})

test('deletes files of interrupted uploads, complete or partial', async () => {
  const file = `${'z'.repeat(24)}.png`
  const image = await upload(await app.newUser())
  await app.db.insertInto('file_deletions').values({ file }).execute()
  await createStorage(app.env).put(file, imageBytes, 'image/png')
  writeFileSync(join(folder, 'images', 'zz', `${file}.part`), 'x')
  await sweep({ unusedSeconds: 86_400, scheduledSeconds: 3600 })
  expect(stored().join(' ')).toContain(file)
  await sweep({ unusedSeconds: 86_400, scheduledSeconds: 0 })
  expect(stored().join(' ')).not.toContain(file)
  expect(stored().join(' ')).toContain(fileOf(image))
})

test('concurrent sweeps keep an image that is chosen at the same time, and delete the others', async () => {
  const alice = await app.newUser()
  const images: Image[] = []
  for (let count = 0; count < 5; count += 1) images.push(await upload(alice))
  const server = await buildServer(alice)
  const { promise: locked, resolve: markLocked } = Promise.withResolvers<void>()
  const choosing = app.db.transaction().execute(async (trx) => {
    const id = await lockOrCopyImage(trx, {
      imageId: images[0]?.id ?? '',
      ownerId: alice.id,
      actorId: alice.id,
      purpose: 'SERVER_ICON',
      field: 'icon_image_id',
      label: 'Icon',
    })
    markLocked()
    await new Promise((resolve) => {
      setTimeout(resolve, 200)
    })
    await trx.updateTable('servers').set({ icon_image_id: id }).where('public_id', '=', server.public_id).execute()
  })
  await locked
  await Promise.all([choosing, sweep(), sweep()])
  await sweep()
  expect((await rowsOf(alice.id)).map((row) => row.id)).toEqual([images[0]?.id])
  expect((await fetch(`${app.listUrl}${pathOf(images[0] ?? { url: '' })}`)).status).toBe(200)
})
