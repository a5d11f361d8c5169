/** How the panel looks and speaks to a user, on all their devices. */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import * as m from '#contract/text/messages.ts'
import { documentedAs } from '#contract/api/documented.ts'
import { endpoint } from '#contract/api/endpoint.ts'
import { PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'
import { PUBLIC_EVENT_TYPES } from '#contract/events/public-events.ts'

export const THEMES = ['system', 'dark', 'light'] as const
export type Theme = (typeof THEMES)[number]

/** Intl also accepts offsets such as `+02:00`, which have no daylight saving time. */
const MAX_TIME_ZONE_LENGTH = 64

function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name) || name.length > MAX_TIME_ZONE_LENGTH) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

const TimeZone = documentedAs(
  z.string({ error: texts.input_time_zone_unknown }).refine(isTimeZone, { error: texts.input_time_zone_unknown }).nullable(),
  {
    type: ['string', 'null'],
    description: "An IANA time zone name. Null for the browser's time zone.",
    example: 'Europe/Berlin',
  },
)

const Language = z
  .enum(PANEL_LANGUAGES, { error: m.preferredLanguageUnknown(PANEL_LANGUAGES) })
  .nullable()
  .describe("Null for the browser's language.")
const ThemeEnum = z.enum(THEMES, { error: m.mustBeOneOf('theme', THEMES) })
const NotificationType = z.enum(PUBLIC_EVENT_TYPES)
const isOn = (type: string) => z.boolean({ error: m.mustBeBoolean(type) })

export const Preferences = z
  .object({
    language: Language,
    time_zone: z.string().nullable().describe("An IANA time zone name. Null for the browser's time zone."),
    theme: ThemeEnum,
    notifications: z.record(NotificationType, z.boolean()).describe('Whether events of each type notify the user. All do by default.'),
  })
  .meta({ id: 'Preferences' })
export type Preferences = z.output<typeof Preferences>

export const PreferencesChange = z.strictObject({
  language: Language.optional(),
  time_zone: TimeZone.optional(),
  theme: ThemeEnum.optional(),
  notifications: z
    .strictObject(Object.fromEntries(PUBLIC_EVENT_TYPES.map((type) => [type, isOn(type).optional()])))
    .optional()
    .describe('Only the types to switch on or off.'),
})
export type PreferencesChange = z.output<typeof PreferencesChange>

export const get = endpoint('GET /api/users/preferences', {
  summary: 'Get your preferences',
  access: 'member',
  reply: Preferences,
})

export const change = endpoint('PATCH /api/users/preferences', {
  summary: 'Change your preferences',
  description: 'Fields that you leave out keep their values. The reply has all preferences.',
  access: 'member',
  limits: ['preferences'],
  body: PreferencesChange,
  reply: Preferences,
})
