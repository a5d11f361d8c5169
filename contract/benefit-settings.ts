/** What a user holds, and the settings of the benefits that have some (product.md section 2, contract section 8). */
import { z } from 'zod'
import { BENEFIT_KEYS, type SettingsKey, TIER_IDS } from './benefits.ts'
import { endpoint } from './endpoint.ts'
import { imageId } from './images.ts'
import { line, webAddress } from './text.ts'
import { Time } from './time.ts'

export const BenefitOverview = z
  .object({
    key: z.enum(BENEFIT_KEYS),
    name: z.string(),
    description: z.string(),
    held: z.boolean(),
    source: z.enum(['tier', 'grant']).nullable().describe('Null where it is not held.'),
    granted: z.boolean().describe('Whether it is granted to him alone, also where his tier gives it: then it stays when the tier ends.'),
    has_settings: z.boolean(),
    tier: z.enum(TIER_IDS).nullable().describe('The lowest tier that unlocks it; null where none does.'),
    used_by: z
      .array(z.object({ public_id: z.string(), name: z.string() }))
      .describe('The servers that use it, or would again if it came back.'),
  })
  .meta({ id: 'BenefitOverview' })
export type BenefitOverview = z.output<typeof BenefitOverview>

/** Which servers a benefit's settings are for. */
const choice = {
  server_ids: z
    .array(z.string({ error: 'server_ids must be a list of public ids.' }), { error: 'server_ids must be a list of public ids.' })
    .max(1000, 'server_ids can name at most 1000 servers.')
    .default([])
    .transform((ids) => [...new Set(ids)]),
  /** Left out it follows from `server_ids`: empty is all. False with an empty list is none. */
  all_servers: z.boolean({ error: 'all_servers must be true or false.' }).optional(),
}

function secureAddress(label: string) {
  return webAddress(label)
    .refine((text) => text === '' || /^https:/i.test(text), { error: `${label} must begin with https://.` })
    .transform((text) => (text === '' ? null : text))
    .nullable()
    .default(null)
}

const picture = (label: string) => imageId(label).nullable().default(null)

const PictureSettings = z.strictObject({ image_id: imageId('Image').nullable(), ...choice })
type PictureSettings = z.output<typeof PictureSettings>

export const LAUNCHER_NAME = { max: 64 } as const

const LauncherSettings = z.strictObject({
  name: line({ label: 'Name', ...LAUNCHER_NAME })
    .transform((text) => (text === '' ? null : text))
    .nullable()
    .default(null),
  primary_color: z
    .string({ error: 'Colour must be six hexadecimal digits after a #, such as #3fa2e9.' })
    .regex(/^#[0-9a-f]{6}$/i, 'Colour must be six hexadecimal digits after a #, such as #3fa2e9.')
    .toLowerCase()
    .nullable()
    .default(null),
  background_image_id: picture('Background'),
  logo_image_id: picture('Logo'),
  ui_background_image_id: picture('UI background'),
  rss_url: secureAddress('News feed'),
  ui_url: secureAddress('UI address'),
  ...choice,
})
type LauncherSettings = z.output<typeof LauncherSettings>

/** The body of `PUT .../benefits/{key}/settings`, by key. */
export const SETTINGS_BODIES = {
  CUSTOM_BANNER: PictureSettings,
  CUSTOM_JOIN_BACKGROUND: PictureSettings,
  CUSTOM_LAUNCHER: LauncherSettings,
} as const satisfies Record<SettingsKey, z.ZodType>

const chosen = {
  server_ids: z.array(z.string()).describe('Empty: all servers, unless `all_servers` is false.'),
  all_servers: z.boolean().describe('False with no server_ids: the servers that it was for are gone, and it is for none.'),
  updated_at: Time.nullable().describe('Null where nothing was ever saved.'),
}

const Picture = z.object({ image_id: z.string().nullable(), image_url: z.string().nullable(), ...chosen })
export const BannerView = Picture.extend({ key: z.literal('CUSTOM_BANNER') }).meta({ id: 'BannerSettings' })
export const JoinBackgroundView = Picture.extend({ key: z.literal('CUSTOM_JOIN_BACKGROUND') }).meta({ id: 'JoinBackgroundSettings' })
export const LauncherView = z
  .object({
    key: z.literal('CUSTOM_LAUNCHER'),
    name: z.string().nullable(),
    primary_color: z.string().nullable(),
    background_image_id: z.string().nullable(),
    background_image_url: z.string().nullable(),
    logo_image_id: z.string().nullable(),
    logo_image_url: z.string().nullable(),
    ui_background_image_id: z.string().nullable(),
    ui_background_image_url: z.string().nullable(),
    rss_url: z.string().nullable(),
    ui_url: z.string().nullable().describe('Shown to players only while CUSTOM_UI_URL is held.'),
    ...chosen,
  })
  .meta({ id: 'LauncherSettings' })

export type BannerView = z.output<typeof BannerView>
export type JoinBackgroundView = z.output<typeof JoinBackgroundView>
export type LauncherView = z.output<typeof LauncherView>

export const SettingsView = z.discriminatedUnion('key', [BannerView, JoinBackgroundView, LauncherView])
export type SettingsView = z.output<typeof SettingsView>

/** Each key has its own shape, `SETTINGS_BODIES`: which one is decided once the key is known. */
const AnySettings = z
  .unknown()
  .describe('PictureSettings for CUSTOM_BANNER and CUSTOM_JOIN_BACKGROUND, LauncherSettings for CUSTOM_LAUNCHER.')

const noUser = { 404: 'No such user.' }

export const overview = endpoint('GET /api/users/benefits', {
  summary: 'All benefits: which the user holds, and from where.',
  access: 'member',
  reply: z.array(BenefitOverview),
})

export const settings = endpoint('GET /api/users/benefits/{key}/settings', {
  summary: "A benefit's settings. The key may be in any case; the user must hold the benefit.",
  access: 'member',
  reply: SettingsView,
})

export const changeSettings = endpoint('PUT /api/users/benefits/{key}/settings', {
  summary: "Replaces a benefit's settings.",
  access: 'member',
  body: AnySettings,
  reply: SettingsView,
})

export const adminOverview = endpoint('GET /api/admin/users/{id}/benefits', {
  summary: 'All benefits of a user, as he sees them.',
  access: 'admin',
  reply: z.array(BenefitOverview),
  rejections: noUser,
})

export const adminSettings = endpoint('GET /api/admin/users/{id}/benefits/{key}/settings', {
  summary: "The settings of a user's benefit; he must hold it.",
  access: 'admin',
  reply: SettingsView,
  rejections: noUser,
})

export const changeAdminSettings = endpoint('PUT /api/admin/users/{id}/benefits/{key}/settings', {
  summary: "Replaces the settings of a user's benefit. Images may be the user's or the administrator's own.",
  access: 'admin',
  body: AnySettings,
  reply: SettingsView,
  rejections: noUser,
})
