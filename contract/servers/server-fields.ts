/**
 * The fields of a server that people edit: one row for each. Schemas, permissions, forms, exports, the audit log, the list and the tests that
 * walk fields derive from it. CONTRIBUTING.md says how to add one.
 */
import { z } from 'zod'
import { m as texts } from '#api-messages'
import * as m from '#contract/text/messages.ts'
import type { BenefitKey } from '#contract/benefits/benefits.ts'
import { LANGUAGE_CODES } from '#contract/text/languages.ts'
import type { Permission } from './permissions.ts'
import { RegionCode, RegionInput } from '#contract/text/regions.ts'
import { line, lines, webAddress, word } from '#contract/text/text.ts'
import { VANITY_ID_LENGTH, VanityUrl } from './vanity-id.ts'

export const LIMITS = {
  name: { min: 3, max: 64 },
  description: { max: 280 },
  tags: { count: 4, length: 24 },
  game_mode: { max: 32 },
  website: { max: 255 },
  vanity_url: VANITY_ID_LENGTH,
} as const

/** How forms edit the field and show its value. `url` also refuses hosts that are not public. */
export type Control =
  | 'line'
  | 'lines'
  | 'number'
  | 'language'
  | 'region'
  | 'tags'
  | 'url'
  | 'switch'
  | 'image'
  | 'group'
  | 'vanity_id'
  | 'choice'

/** What a filter accepts: a `word`, or a `wholeNumberText` in the field's range. */
export type FilterInput = z.ZodType<string | number, string>

/** A key is the name of the field in bodies and replies, and of its column. */
export interface ServerField {
  /** What the value means to users of the API and the SDK. The reference adds its rule and its benefit. */
  readonly description: string
  /** What a change may send. Its output is stored. A number is a `wholeNumber`, and the CHECK of its column has the same range. */
  readonly input: z.ZodType
  /** What replies have, which includes values that an earlier rule allowed. */
  readonly reply: z.ZodType
  /** The value of a new server; undefined if its creator must choose one. */
  readonly initial: unknown
  /** In forms, in the audit log, and at the start of a rejection. */
  readonly label: () => string
  /** What a manager needs. The form shows the fields of `EDIT_APPEARANCE` as the appearance. */
  readonly permission: Permission
  /** What the owner needs. Without it, players see the initial value. */
  readonly benefit: BenefitKey | null
  readonly control: Control
  /** In each row of the list. Null if players don't see it, or if the list adds it itself (`Cosmetics` in masterlist/registry). */
  readonly list: { readonly name: string; readonly schema: z.ZodType } | null
  /** The parameter of `GET /servers` that finds equal values, or lists with an equal item. */
  readonly filter: { readonly name: string; readonly input: FilterInput; readonly description: string } | null
  /** The column of a CSV file. */
  readonly csv: string | null
  /** Valid values for documents, tests and simulated servers. None if the value refers to another object. */
  readonly examples: readonly unknown[]
}

export const ADDRESS_POLICIES = ['bound', 'follow'] as const
export type AddressPolicy = (typeof ADDRESS_POLICIES)[number]

/** A text that null clears. Replies then contain an empty string. */
function clearable<T extends z.ZodType<string>>(text: T) {
  return z.union([z.null().transform(() => ''), text])
}

/** What most details have in common, and what most of the appearance has. */
const DETAIL = { reply: z.string(), permission: 'EDIT_DETAILS', benefit: null } as const
const APPEARANCE = { reply: z.string().nullable(), permission: 'EDIT_APPEARANCE' } as const
const FLAG = { reply: z.boolean(), control: 'switch', csv: null } as const

const Tags = z
  .array(line({ label: texts.field_tag, min: 1, max: LIMITS.tags.length, isItem: true }), { error: texts.input_tags_not_list })
  .refine((tags) => tags.length <= LIMITS.tags.count, { error: m.hasTooManyTags(LIMITS.tags.count), abort: true })
  .refine((tags) => new Set(tags.map((tag) => tag.toLowerCase())).size === tags.length, { error: texts.input_tag_repeated })

/** In the order of the form. */
export const SERVER_FIELDS = {
  name: {
    ...DETAIL,
    description: 'Plain text in one line. Look-alike names are rejected.',
    input: line({ label: texts.field_name, ...LIMITS.name }),
    initial: undefined,
    label: texts.field_name,
    control: 'line',
    list: { name: 'name', schema: z.string() },
    filter: null,
    csv: 'name',
    examples: ['My Town', 'Harbour City'],
  },
  description: {
    ...DETAIL,
    description: 'Plain text of one or more lines.',
    input: clearable(lines({ label: texts.field_description, ...LIMITS.description })),
    initial: '',
    label: texts.field_description,
    control: 'lines',
    list: { name: 'description', schema: z.string() },
    filter: null,
    csv: null,
    examples: ['A small town by the sea.', 'Streets, jobs and a harbour.'],
  },
  language: {
    ...DETAIL,
    description: 'An ISO 639-1 code of `availableLanguages`, or `all` if multilingual or not set.',
    input: z
      .string({ error: m.mustBeText(texts.field_language) })
      .refine((code) => LANGUAGE_CODES.has(code), { error: texts.input_language_unknown }),
    initial: 'all',
    label: texts.field_language,
    control: 'language',
    list: { name: 'language', schema: z.string() },
    filter: { name: 'language', input: word('language', 8), description: 'A language code, such as `en`, case-insensitive.' },
    csv: 'language',
    examples: ['en', 'de'],
  },
  region: {
    ...DETAIL,
    description: 'Where the server runs, as its owner chose it, such as `eu-west`.',
    input: clearable(RegionInput),
    reply: RegionCode,
    initial: '',
    label: texts.field_region,
    control: 'region',
    list: { name: 'region', schema: RegionCode },
    filter: { name: 'region', input: word('region', 16), description: 'A region code, such as `eu-west`, case-insensitive.' },
    csv: 'region',
    examples: ['eu-west', 'sa'],
  },
  game_mode: {
    ...DETAIL,
    description: 'The game mode, such as `Roleplay`. If the owner sets none, the list shows the announced one.',
    input: clearable(line({ label: texts.field_game_mode, ...LIMITS.game_mode })),
    initial: '',
    label: texts.field_game_mode,
    control: 'line',
    list: { name: 'gameMode', schema: z.string() },
    filter: null,
    csv: 'game_mode',
    examples: ['Roleplay', 'Racing'],
  },
  tags: {
    ...DETAIL,
    description: 'At most 4. Tags that differ only in case are duplicates.',
    input: Tags,
    reply: z.array(z.string()),
    initial: [],
    label: texts.field_tags,
    control: 'tags',
    list: { name: 'tags', schema: z.array(z.string()) },
    filter: { name: 'tag', input: word('tag', 32), description: 'Servers with this tag. Letter case and accents do not matter.' },
    csv: 'tags',
    examples: [['friendly'], ['voice', 'jobs']],
  },
  website: {
    ...DETAIL,
    description: 'An http or https URL with a public host. If the scheme is missing, `https://` is added.',
    input: clearable(webAddress(texts.field_website)),
    initial: '',
    label: texts.field_website,
    control: 'url',
    list: { name: 'website', schema: z.string() },
    filter: null,
    csv: null,
    examples: ['https://example.com', 'https://example.org/town'],
  },
  visible: {
    ...DETAIL,
    ...FLAG,
    description: 'Whether the owner lets the list show the server. True by default, and always true in the list.',
    input: z.boolean({ error: m.mustBeBoolean(texts.field_visible) }),
    initial: true,
    label: texts.field_shown_on_list,
    list: { name: 'visible', schema: z.boolean() },
    filter: null,
    examples: [false],
  },
  address_policy: {
    description:
      'What happens to announces from an address that is not bound: `bound` rejects them. `follow` accepts them once the bound address has been silent for the time to live, and then binds the new one instead.',
    input: z.enum(ADDRESS_POLICIES, { error: m.mustBeOneOf(texts.field_address_policy, ADDRESS_POLICIES) }),
    reply: z.enum(ADDRESS_POLICIES),
    initial: 'bound',
    label: texts.field_address_policy,
    permission: 'RESET_ADDRESS',
    benefit: null,
    control: 'choice',
    list: null,
    filter: null,
    csv: null,
    examples: ['follow'],
  },
  icon_image_id: {
    ...APPEARANCE,
    description: 'The ID of an uploaded image. Null without an icon.',
    input: z
      .string({ error: m.mustBeImageId(texts.field_icon) })
      .max(64, { error: m.mustBeImageId(texts.field_icon) })
      .nullable(),
    initial: null,
    label: texts.field_icon,
    benefit: 'MASTERLIST_TOKEN_CARD_ICONS',
    control: 'image',
    list: null,
    filter: null,
    csv: null,
    examples: [],
  },
  group_id: {
    ...APPEARANCE,
    description: "The ID of one of the owner's groups. Null without one.",
    // The rules check the format of ids, after the required benefit.
    input: z
      .string({ error: m.mustBeOwnGroupId(texts.field_group) })
      .max(64, { error: m.mustBeOwnGroupId(texts.field_group) })
      .nullable(),
    initial: null,
    label: texts.field_group,
    benefit: 'MASTERLIST_GROUPS',
    control: 'group',
    list: null,
    filter: null,
    csv: 'group',
    examples: [],
  },
  vanity_url: {
    ...APPEARANCE,
    description: 'The vanity ID, a readable ID for URLs: `a-z`, `0-9`, and single hyphens, but none at either end.',
    input: VanityUrl.nullable(),
    initial: null,
    label: texts.field_vanity_id,
    benefit: 'CUSTOM_VANITY_URL',
    control: 'vanity_id',
    list: { name: 'vanityUrl', schema: z.string() },
    filter: null,
    csv: 'vanity_id',
    examples: ['my-town', 'harbour-city'],
  },
  promoted: {
    ...APPEARANCE,
    ...FLAG,
    description: 'Whether the server is among the promoted ones, which come first. Each owner has at most one.',
    input: z.boolean({ error: m.mustBeBoolean(texts.field_promoted) }),
    initial: false,
    label: texts.field_promotion,
    benefit: 'PROMOTED',
    list: { name: 'promoted', schema: z.boolean() },
    filter: null,
    examples: [true],
  },
} as const satisfies Record<string, ServerField>
