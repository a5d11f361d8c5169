/** Images that owners upload, their purposes and sizes. */
import { z } from 'zod'
import { m } from '#api-messages'
import { type Field, mustBeImageId } from '#contract/text/messages.ts'
import { endpoint } from '#contract/api/endpoint.ts'

/** Purposes with their size in pixels. The browser crops to it, and the backend enforces it. */
export const PURPOSES = {
  SERVER_ICON: { name: () => m.image_purpose_server_icon(), width: 256, height: 256 },
  BANNER: { name: () => m.image_purpose_banner(), width: 1280, height: 320 },
  JOIN_BACKGROUND: { name: () => m.image_purpose_join_background(), width: 1920, height: 1080 },
  LAUNCHER_BACKGROUND: { name: () => m.image_purpose_launcher_background(), width: 300, height: 400 },
  LAUNCHER_LOGO: { name: () => m.image_purpose_launcher_logo(), width: 128, height: 128 },
  LAUNCHER_UI_BACKGROUND: { name: () => m.image_purpose_launcher_ui_background(), width: 1920, height: 1080 },
} as const satisfies Record<string, { name: () => string; width: number; height: number }>

export type Purpose = keyof typeof PURPOSES
export const PURPOSE_KEYS = Object.keys(PURPOSES) as [Purpose, ...Purpose[]]

/** Limits of an upload. */
export const MAX_IMAGE_BYTES = 8 * 1024 * 1024
export const MAX_IMAGE_PIXELS = 40_000_000

/** Accepted types. An image keeps its type. */
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const

/** The id of an uploaded image in a body. @param label the field's name at the start of a sentence. */
export function imageId(label: Field) {
  return z.uuid({ error: mustBeImageId(label) }).toLowerCase()
}

export const Image = z
  .object({
    id: z.string(),
    purpose: z.enum(PURPOSE_KEYS),
    url: z.string().describe('Where the image is served. The bytes never change.'),
    width: z.int(),
    height: z.int(),
    mime: z.enum(IMAGE_TYPES),
    bytes: z.int(),
  })
  .meta({ id: 'Image' })
export type Image = z.output<typeof Image>

export const upload = endpoint('POST /api/users/images', {
  summary: 'Upload an image',
  description:
    'PNG, JPEG or WebP, not animated, at most 8 MiB and 40 megapixels. The image is resized to its purpose and encoded again. An unused image is deleted after a day.',
  access: 'member',
  scope: 'benefits:write',
  limits: ['uploads'],
  accepts: 'multipart',
  documentedBody: z.object({
    purpose: z.enum(PURPOSE_KEYS).describe('Decides the size in pixels.'),
    file: z.string().meta({ format: 'binary', description: 'The bytes of the image.' }),
  }),
  reply: Image,
})
