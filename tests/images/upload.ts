/** Uploads images over HTTP. */
import sharp from 'sharp'
import { expect } from 'vitest'
import type { Image } from '#contract/servers/images.ts'
import type { TestUser } from '#tests/harness.ts'

export const imageBytes = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'teal' } })
  .png()
  .toBuffer()

export type FormParts = readonly (readonly [name: string, value: string | Buffer])[]

export function formOf(parts: FormParts): FormData {
  const form = new FormData()
  for (const [name, value] of parts) {
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, new Blob([new Uint8Array(value)]), 'picture.png')
  }
  return form
}

export async function post(
  user: TestUser,
  body: FormData | string,
  headers = {},
): Promise<{ status: number; errors: string[]; data: Image; headers: Headers }> {
  const response = await user.fetch('/api/users/images', { method: 'POST', body, headers })
  return { status: response.status, headers: response.headers, ...((await response.json()) as { errors: string[]; data: Image }) }
}

export async function upload(user: TestUser, purpose = 'SERVER_ICON'): Promise<Image> {
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

export const pathOf = (image: Pick<Image, 'url'>) => new URL(image.url).pathname
export const fileOf = (image: Pick<Image, 'url'>) => pathOf(image).slice('/images/'.length)
