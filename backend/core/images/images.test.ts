/** Serving images, and choosing one for a server. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Image } from '#contract/servers/images.ts'
import { lockOrCopyImage } from './images.ts'
import { type SignedInUser, type TestApp, startApp } from '#tests/harness.ts'
import { fileOf, pathOf, upload } from '#tests/images/upload.ts'

let app: TestApp
const folder = mkdtempSync(join(tmpdir(), 'muster-images-'))

beforeAll(async () => {
  app = await startApp({ DATA_DIR: folder })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const rowsOf = (ownerId: string) => app.db.selectFrom('images').selectAll().where('owner_id', '=', ownerId).execute()

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
      .execute((trx) =>
        lockOrCopyImage(trx, { imageId: image.id, ownerId: owner.id, actorId: actor.id, purpose, field: 'icon_image_id', label: 'Icon' }),
      )

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
