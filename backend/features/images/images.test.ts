/** Images: uploading, serving, choosing, and sweeping unused ones. */
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_IMAGE_BYTES, type Image } from '#contract/images.ts'
import { createStorage } from './storage.ts'
import { copyImage, lockOrCopyImage } from './images.ts'
import { sweepImages } from './sweep-images.ts'
import { createFileCache } from './image-services.ts'
import { MAX_IMAGES, MAX_MEBIBYTES } from './upload.ts'
import { ban, buildServer, scheduleDeletion } from '#tests/factories.ts'
import { type TestUser, type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'

let app: TestApp
let imageBytes: Buffer
const folder = mkdtempSync(join(tmpdir(), 'muster-images-'))
const ALL_AGES = { unusedSeconds: 0, scheduledSeconds: 0 }

beforeAll(async () => {
  app = await startApp({ DATA_DIR: folder })
  imageBytes = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'teal' } })
    .png()
    .toBuffer()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type FormParts = readonly (readonly [name: string, value: string | Buffer])[]

function formOf(parts: FormParts): FormData {
  const form = new FormData()
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new Blob([new Uint8Array(value)]), 'picture.png')
  }
  return form
}

async function post(
  user: TestUser,
  body: FormData | string,
  headers = {},
): Promise<{ status: number; errors: string[]; data: Image; headers: Headers }> {
  const response = await user.fetch('/api/users/images', { method: 'POST', body, headers })
  return { status: response.status, headers: response.headers, ...((await response.json()) as { errors: string[]; data: Image }) }
}

async function upload(user: TestUser, purpose = 'SERVER_ICON'): Promise<Image> {
  const { status, data, errors } = await post(
    user,
    formOf([
      ['purpose', purpose],
      ['file', imageBytes],
    ]),
  )
  expect(status, String(errors)).toBe(200)
  return data
}

const pathOf = (image: Pick<Image, 'url'>) => new URL(image.url).pathname
const fileOf = (image: Pick<Image, 'url'>) => pathOf(image).slice('/images/'.length)
const stored = () =>
  (existsSync(join(folder, 'images')) ? readdirSync(join(folder, 'images'), { recursive: true }) : []).filter((name) =>
    /\./.test(String(name)),
  )
const sweep = (ages = ALL_AGES) => sweepImages(app, { storage: createStorage(app.env), cache: createFileCache(app.clock) }, ages)
const rowsOf = (ownerId: string) => app.db.selectFrom('images').selectAll().where('owner_id', '=', ownerId).execute()

describe('uploading', () => {
  test('resizes an image to its purpose and serves it', async () => {
    const alice = await app.newUser()
    const image = await upload(alice, 'BANNER')
    expect(image).toMatchObject({ purpose: 'BANNER', width: 1280, height: 320, mime: 'image/png' })
    const served = await fetch(`${app.listUrl}${pathOf(image)}`)
    expect(await sharp(Buffer.from(await served.arrayBuffer())).metadata()).toMatchObject({ width: 1280, height: 320, format: 'png' })
  })

  test('accepts the purpose after the file', async () => {
    const { status, data } = await post(
      await app.newUser(),
      formOf([
        ['file', imageBytes],
        ['purpose', 'LAUNCHER_LOGO'],
      ]),
    )
    expect([status, data.width]).toEqual([200, 128])
  })

  const icon = ['purpose', 'SERVER_ICON'] as const
  const rejections: [string, () => FormParts, RegExp][] = [
    ['no purpose', () => [['file', imageBytes]], /^The form has no "purpose"\. It must be one of SERVER_ICON, BANNER/],
    [
      'an unknown purpose',
      () => [
        ['purpose', 'POSTER'],
        ['file', imageBytes],
      ],
      /^The purpose must be one of SERVER_ICON/,
    ],
    ['no file', () => [icon], /^The form has no "file"\.$/],
    ['nothing', () => [], /^The form/],
    ['a text as the file', () => [icon, ['file', 'x']], /^"file" must be a file\.$/],
    [
      'a file as the purpose',
      () => [
        ['purpose', imageBytes],
        ['file', imageBytes],
      ],
      /^"purpose" must be text/,
    ],
    ['two files', () => [icon, ['file', imageBytes], ['file', imageBytes]], /^The form has "file" more than once\.$/],
    ['two purposes', () => [icon, icon, ['file', imageBytes]], /^The form has "purpose" more than once\.$/],
    ['twenty files', () => [icon, ...Array.from({ length: 20 }, () => ['file', imageBytes] as const)], /^The form/],
    ['an unknown part', () => [icon, ['file', imageBytes], ['name', 'x']], /^The form has an unexpected part\./],
    ['a part named __proto__', () => [icon, ['__proto__', 'x'], ['file', imageBytes]], /^The form/],
    [
      'a very long purpose',
      () => [
        ['purpose', 'x'.repeat(100_000)],
        ['file', imageBytes],
      ],
      /^"purpose" is too long\.$/,
    ],
    ['a file over 8 MiB', () => [icon, ['file', Buffer.alloc(MAX_IMAGE_BYTES + 1)]], /^The file is too large\. The limit is 8 MiB\.$/],
    ['a file of 20 MiB', () => [icon, ['file', Buffer.alloc(20 * 1024 * 1024)]], /^The file is too large\. The limit is 8 MiB\.$/],
  ]
  test.each(rejections)('rejects a form with %s with one message', async (_name, parts, message) => {
    const { status, errors } = await post(await app.newUser(), formOf(parts()))
    expect([status, errors.length]).toEqual([400, 1])
    expect(errors[0]).toMatch(message)
  })

  test('rejects other bodies and malformed forms with one message', async () => {
    const alice = await app.newUser()
    expect(await post(alice, '{}', { 'content-type': 'application/json' })).toMatchObject({
      status: 400,
      errors: ['Send this as a form (multipart/form-data).'],
    })
    expect(await post(alice, 'x', { 'content-type': 'image/png' })).toMatchObject({ status: 400 })
    for (const [type, body] of [
      ['multipart/form-data', 'x'],
      ['multipart/form-data; boundary=b', '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nabc'],
      ['multipart/form-data; boundary=b', '--b\r\n\r\nabc\r\n--b--'],
      ['multipart/form-data; boundary=b', 'nothing of the kind'],
    ] as const) {
      const { status, errors } = await post(alice, body, { 'content-type': type })
      expect([status, errors.length], `${type} ${String(errors)}`).toEqual([400, 1])
    }
  })

  test('forms are only accepted for uploads', async () => {
    const alice = await app.newUser()
    const response = await alice.fetch('/api/users/tokens', { method: 'POST', body: formOf([['name', 'x']]) })
    expect(response.status).toBe(415)
  })

  test('an interrupted upload leaves no files, and the next one succeeds', async () => {
    const remainingFolders = () => readdirSync(join(folder, 'uploads'))
    await upload(await app.newUser())
    const alice = await app.newUser()
    const { port, hostname } = new URL(app.panelUrl)
    const socket = connect(Number(port), hostname)
    // Without a session the call is rejected before the body. With one it would wait for the body.
    socket.write(
      'POST /api/users/images HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 9999\r\n\r\n--b\r\n',
    )
    await new Promise((resolve) => {
      socket.once('data', resolve)
    })
    socket.destroy()
    const stop = new AbortController()
    const endless = new ReadableStream({ start: (to) => to.enqueue(new Uint8Array(1000)) })
    const sending = alice.fetch('/api/users/images', {
      method: 'POST',
      body: endless,
      duplex: 'half',
      signal: stop.signal,
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    } as RequestInit)
    setTimeout(() => stop.abort(), 100)
    await expect(sending).rejects.toThrow(/abort/i)
    await upload(alice)
    await expect.poll(remainingFolders).toEqual([])
  })

  test('visitors, banned users and users awaiting deletion are rejected', async () => {
    const [banned, leaving] = [await app.newUser(), await app.newUser()]
    await ban(app, banned.id)
    await scheduleDeletion(app, leaving.id)
    for (const user of [app.anonymous, banned, leaving])
      expect(await post(user, formOf([icon, ['file', imageBytes]]))).toMatchObject({ status: 403 })
  })

  test('a user can have at most 300 images', async () => {
    const alice = await app.newUser()
    await upload(alice)
    const [row] = await rowsOf(alice.id)
    if (row === undefined) throw new Error('There is no row.')
    const copies = Array.from({ length: MAX_IMAGES - 1 }, () => ({ ...row, id: uuidv7() }))
    await app.db.insertInto('images').values(copies).execute()
    expect(await post(alice, formOf([icon, ['file', imageBytes]]))).toMatchObject({
      status: 403,
      errors: [expect.stringMatching(/^You have reached your limit of 300 images/)],
    })
    expect(await rowsOf(alice.id)).toHaveLength(MAX_IMAGES)
  })

  test('a user can have at most 256 MiB of images, not counting copies by managers and transfers', async () => {
    const alice = await app.newUser()
    await upload(alice)
    const [row] = await rowsOf(alice.id)
    if (row === undefined) throw new Error('There is no row.')
    const rest = MAX_MEBIBYTES * 1024 * 1024 - 2 * row.bytes
    const large = { ...row, id: uuidv7(), bytes: rest }
    const copies = [uuidv7(), uuidv7()].map((id) => ({ ...large, id, is_copy: true }))
    await app.db
      .insertInto('images')
      .values([large, ...copies])
      .execute()
    // The same image again reaches the limit exactly.
    await upload(alice)
    expect(await post(alice, formOf([icon, ['file', imageBytes]]))).toMatchObject({
      status: 403,
      errors: ['This image would exceed your limit of 256 MiB. Unused images are deleted one day after their upload.'],
    })
  })
})

test('a user can upload 30 images at once, then one every ten seconds', async () => {
  const limited = await startApp({ DATA_DIR: folder, RATE_LIMITS: 'on' })
  const alice = await limited.newUser()
  const statuses = new Map<number, number>()
  for (let count = 0; count < 31; count += 1) {
    const { status, headers } = await post(alice, formOf([]))
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 429) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  }
  expect(Object.fromEntries(statuses)).toEqual({ 400: 30, 429: 1 })
  limited.clock.advance(10_000)
  expect((await post(alice, formOf([]))).status).toBe(400)
  await limited.close()
})

describe('serving', () => {
  test('an image is cacheable forever, cannot run scripts and sets no cookie', async () => {
    const image = await upload(await app.newUser())
    const { status, headers } = await fetch(`${app.listUrl}${pathOf(image)}`)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'image/png',
      'content-length': String(image.bytes),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
    })
    expect(headers.get('set-cookie')).toBeNull()
  })

  test('HEAD returns the same headers without the bytes, and a known ETag gets 304', async () => {
    const url = `${app.listUrl}${pathOf(await upload(await app.newUser()))}`
    const [whole, head] = [await fetch(url), await fetch(url, { method: 'HEAD' })]
    for (const name of ['etag', 'content-length', 'content-type', 'cache-control'])
      expect(head.headers.get(name)).toBe(whole.headers.get(name))
    expect(await head.text()).toBe('')
    const etag = whole.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"/)
    const again = await fetch(url, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text()]).toEqual([304, ''])
  })

  test.each([
    'x',
    `${'a'.repeat(24)}.png`,
    `${'a'.repeat(24)}.svg`,
    '..%2F..%2Fpg18%2FPG_VERSION',
    `..%2f${'a'.repeat(24)}.png`,
    '%00',
    `${'a'.repeat(300)}.png`,
  ])('%s is 404', async (file) => {
    const response = await fetch(`${app.listUrl}/images/${file}`)
    expect(response.status).toBe(404)
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  test('allows only GET and HEAD', async () => {
    const response = await fetch(`${app.listUrl}/images/x.png`, { method: 'POST' })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  test("the panel's content security policy allows images", async () => {
    const { headers } = await fetch(`${app.panelUrl}/login`)
    expect(headers.get('content-security-policy')).toMatch(/img-src [^;]*http:\/\/localhost:0 http:\/\/127\.0\.0\.1:0/)
  })
})

describe('choosing an image', () => {
  const choose = (image: Pick<Image, 'id'>, owner: SignedInUser, actor: SignedInUser, purpose: 'SERVER_ICON' | 'BANNER' = 'SERVER_ICON') =>
    app.db
      .transaction()
      .execute((trx) => lockOrCopyImage(trx, { imageId: image.id, ownerId: owner.id, actorId: actor.id, purpose, label: 'Icon' }))

  test("uses the owner's image itself, and copies the actor's image once", async () => {
    const [owner, manager] = [await app.newUser(), await app.newUser()]
    const [own, other] = [await upload(owner), await upload(manager)]
    expect(await choose(own, owner, manager)).toBe(own.id)
    const copy = await choose(other, owner, manager)
    expect(copy).not.toBe(other.id)
    expect(await choose(other, owner, manager)).toBe(copy)
    expect(await rowsOf(owner.id)).toEqual(expect.arrayContaining([expect.objectContaining({ id: copy, file: fileOf(other) })]))
  })

  test("rejects another user's image as unknown, and one with another purpose", async () => {
    const [owner, stranger] = [await app.newUser(), await app.newUser()]
    await expect(choose(await upload(stranger), owner, owner)).rejects.toThrow('Icon: there is no such uploaded image. Upload it again.')
    await expect(choose({ id: uuidv7() }, owner, owner)).rejects.toThrow('Icon: there is no such uploaded image.')
    await expect(choose(await upload(owner, 'BANNER'), owner, owner)).rejects.toThrow(
      'Icon: this image was uploaded as "Banner". Upload it again as "Server icon".',
    )
  })
})

describe('the sweep', () => {
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
    const cache = createFileCache(app.clock)
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
})
