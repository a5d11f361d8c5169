/** Uploading images: forms, rejections and quotas. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MAX_IMAGE_BYTES } from '#contract/servers/images.ts'
import { MAX_IMAGES, MAX_MEBIBYTES } from './upload.ts'
import { ban, scheduleDeletion } from '#tests/factories.ts'
import { type TestApp, startApp } from '#tests/harness.ts'
import { type FormParts, formOf, imageBytes, pathOf, post, upload } from '#tests/images/upload.ts'

let app: TestApp
const folder = mkdtempSync(join(tmpdir(), 'muster-images-'))

beforeAll(async () => {
  app = await startApp({ DATA_DIR: folder })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

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
