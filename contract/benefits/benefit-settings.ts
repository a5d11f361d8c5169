/** A user's benefits and their settings. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import * as m from '#contract/text/messages.ts'
import type { SettingsKey } from './benefits.ts'
import { endpoint } from '#contract/api/endpoint.ts'
import { SettingsKeyParam, UserIdParam } from '#contract/api/path-params.ts'
import { imageId } from '#contract/servers/images.ts'
import { line, webAddress } from '#contract/text/text.ts'
import { Time } from '#contract/text/time.ts'
import { BenefitKeyEnum, TierEnum } from '#contract/users/users.ts'

export const BenefitOverview = z
  .object({
    key: BenefitKeyEnum,
    name: z.string(),
    description: z.string(),
    held: z.boolean(),
    source: z.enum(['tier', 'grant']).nullable().describe('Null if the user does not hold it.'),
    granted: z.boolean().describe('Whether a grant to this user gives it. A granted benefit stays when the tier ends.'),
    has_settings: z.boolean(),
    tier: TierEnum.nullable().describe('The lowest tier that has it. Null if none does.'),
    used_by: z
      .array(z.object({ public_id: z.string(), name: z.string() }))
      .describe('The servers that use it, or would if the user held it.'),
  })
  .meta({ id: 'BenefitOverview' })
export type BenefitOverview = z.output<typeof BenefitOverview>

const MAX_SERVER_IDS = 1000

/** Which servers a benefit's settings apply to. */
const choice = {
  server_ids: z
    .array(z.string({ error: m.mustBePublicIds('server_ids') }), { error: m.mustBePublicIds('server_ids') })
    .max(MAX_SERVER_IDS, { error: m.namesTooManyServers('server_ids', MAX_SERVER_IDS) })
    .default([])
    .transform((ids) => [...new Set(ids)])
    .describe('Public IDs of your servers. Empty for all servers, unless `all_servers` is false.'),
  all_servers: z
    .boolean({ error: m.mustBeBoolean('all_servers') })
    .optional()
    .describe('False with empty `server_ids` is no server. Without it, empty `server_ids` is all servers.'),
}

function secureAddress(label: m.Field) {
  return webAddress(label)
    .refine((text) => text === '' || /^https:/i.test(text), { error: m.mustBeHttps(label) })
    .transform((text) => (text === '' ? null : text))
    .nullable()
    .default(null)
}

const image = (label: m.Field) => imageId(label).nullable().default(null)

const PictureSettings = z.strictObject({ image_id: imageId(texts.field_image).nullable(), ...choice }).meta({ id: 'ImageSettingsInput' })
type PictureSettings = z.output<typeof PictureSettings>

export const LAUNCHER_NAME = { max: 64 } as const

const LauncherSettings = z
  .strictObject({
    name: line({ label: texts.field_name, ...LAUNCHER_NAME })
      .transform((text) => (text === '' ? null : text))
      .nullable()
      .default(null),
    primary_color: z
      .string({ error: texts.input_colour_invalid })
      .regex(/^#[0-9a-f]{6}$/i, { error: texts.input_colour_invalid })
      .toLowerCase()
      .nullable()
      .default(null),
    background_image_id: image(texts.field_background),
    logo_image_id: image(texts.field_logo),
    ui_background_image_id: image(texts.field_ui_background),
    rss_url: secureAddress(texts.field_news_feed),
    ui_url: secureAddress(texts.field_ui_address),
    ...choice,
  })
  .meta({ id: 'LauncherSettingsInput' })
type LauncherSettings = z.output<typeof LauncherSettings>

/** The body of `PUT .../benefits/{key}/settings`, by key. */
export const SETTINGS_BODIES = {
  CUSTOM_BANNER: PictureSettings,
  CUSTOM_JOIN_BACKGROUND: PictureSettings,
  CUSTOM_LAUNCHER: LauncherSettings,
} as const satisfies Record<SettingsKey, z.ZodType>

const chosen = {
  server_ids: z.array(z.string()).describe('Empty for all servers, unless `all_servers` is false.'),
  all_servers: z.boolean().describe('False with empty `server_ids`: the chosen servers are gone, and no server uses the settings.'),
  updated_at: Time.nullable().describe('Null if nothing was ever saved.'),
  version: z.int().describe('Rises with every change, for `If-Match`. 0 if nothing was ever saved.'),
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
    ui_url: z.string().nullable().describe('Shown to players only while the user holds CUSTOM_UI_URL.'),
    ...chosen,
  })
  .meta({ id: 'LauncherSettings' })

export type BannerView = z.output<typeof BannerView>
export type JoinBackgroundView = z.output<typeof JoinBackgroundView>
export type LauncherView = z.output<typeof LauncherView>

export const SettingsView = z.discriminatedUnion('key', [BannerView, JoinBackgroundView, LauncherView])
export type SettingsView = z.output<typeof SettingsView>

/** The key in the path decides which body is valid. */
const change = {
  limits: ['changes'],
  body: z.unknown(),
  documentedBody: z.union([PictureSettings, LauncherSettings]),
  bodyExamples: {
    'A banner for all servers': { image_id: '019ac0de-0000-7000-8000-000000000002', server_ids: [] },
    'A launcher theme for one server': { name: 'My Town', primary_color: '#3fa2e9', server_ids: ['AbCd123'] },
  },
  versioned: true,
  reply: SettingsView,
} as const

const noUser = { 404: 'No such user.' }
const ofKey = { access: 'member', scope: 'benefits:write', params: { key: SettingsKeyParam } } as const
const ofUserAndKey = { access: 'admin', rejections: noUser, params: { id: UserIdParam, key: SettingsKeyParam } } as const

export const overview = endpoint('GET /api/users/benefits', {
  summary: 'List your benefits',
  description: 'All benefits, also those that the user does not hold.',
  access: 'member',
  scope: 'benefits:write',
  reply: z.array(BenefitOverview),
})

export const settings = endpoint('GET /api/users/benefits/{key}/settings', {
  summary: 'Get the settings of a benefit',
  description: 'The user must hold the benefit.',
  ...ofKey,
  reply: SettingsView,
})

export const changeSettings = endpoint('PUT /api/users/benefits/{key}/settings', {
  summary: 'Replace the settings of a benefit',
  description: 'The body depends on the key: an image for CUSTOM_BANNER and CUSTOM_JOIN_BACKGROUND, a theme for CUSTOM_LAUNCHER.',
  ...ofKey,
  ...change,
})

export const adminOverview = endpoint('GET /api/admin/users/{id}/benefits', {
  summary: 'List the benefits of a user',
  access: 'admin',
  reply: z.array(BenefitOverview),
  rejections: noUser,
  params: { id: UserIdParam },
})

export const adminSettings = endpoint('GET /api/admin/users/{id}/benefits/{key}/settings', {
  summary: "Get the settings of a user's benefit",
  description: 'The user must hold the benefit.',
  ...ofUserAndKey,
  reply: SettingsView,
})

export const changeAdminSettings = endpoint('PUT /api/admin/users/{id}/benefits/{key}/settings', {
  summary: "Replace the settings of a user's benefit",
  description: "Images may be the user's or the administrator's own.",
  ...ofUserAndKey,
  ...change,
})
