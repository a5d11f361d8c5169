/** The public pages: the query of `/browse`, and what the pages show. The backend collects it, and `web/public-site/` renders it. */
import { z } from 'zod'
import * as m from '#contract/text/messages.ts'
import type { Brand } from './brand.ts'
import type { Language } from '#contract/text/panel-languages.ts'
import { word } from '#contract/text/text.ts'

export const BROWSE_SORTS = ['players', 'name', 'newest', 'trending'] as const
export type BrowseSort = (typeof BROWSE_SORTS)[number]

export const ROWS_PER_PAGE = 50
const MAX_PAGE = 10_000
export const MAX_TAGS = 4
const MAX_FAVOURITES = 100

const flag = (name: string) => z.literal('1', { error: m.mustBeOneOf(name, ['1']) }).optional()

/** The query of `/browse`. Texts compare case-insensitively. Every given filter must match. */
export const BrowseQuery = z.object({
  q: word('q', 64).optional(),
  language: word('language', 8).optional(),
  region: word('region', 16).optional(),
  /** Repeated for several tags: a server must have all. */
  tag: z.array(word('tag', 32)).max(MAX_TAGS, { error: m.hasTooManyTags(MAX_TAGS) }),
  game_mode: word('game_mode', 32).optional(),
  /** Its ID: owners may give their groups the same name. */
  group: word('group', 36).optional(),
  version: word('version', 32).optional(),
  has_slots: flag('has_slots'),
  no_password: flag('no_password'),
  verified: flag('verified'),
  sort: z.enum(BROWSE_SORTS, { error: m.mustBeOneOf('sort', BROWSE_SORTS) }).default('players'),
  page: z.coerce
    .number({ error: m.mustBeInRange('page', 1, MAX_PAGE) })
    .int({ error: m.mustBeInRange('page', 1, MAX_PAGE) })
    .min(1, { error: m.mustBeInRange('page', 1, MAX_PAGE) })
    .max(MAX_PAGE, { error: m.mustBeInRange('page', 1, MAX_PAGE) })
    .default(1),
  /** Only these servers, also those that are offline. Comma-separated; what can't be an ID is ignored, and empty is none. */
  ids: z
    .string()
    .transform((text) => [...new Set(text.split(',').map((id) => id.trim()))].filter((id) => /^[\w-]+$/.test(id)))
    .refine((ids) => ids.length <= MAX_FAVOURITES, { error: m.namesTooManyServers('ids', MAX_FAVOURITES) })
    .optional(),
})
export type BrowseQuery = z.output<typeof BrowseQuery>

/** Filters with a choice of values, and those that are on or off. */
export const CHOICE_FILTERS = ['language', 'region', 'tag', 'game_mode', 'version'] as const
export type ChoiceFilter = (typeof CHOICE_FILTERS)[number]
export const SWITCH_FILTERS = ['has_slots', 'no_password', 'verified'] as const
export type SwitchFilter = (typeof SWITCH_FILTERS)[number]

/** A value of a filter, and how many servers would be left with it. */
export interface FilterValue {
  readonly value: string
  readonly servers: number
}

export interface BrowseFilters {
  /** Most servers first. */
  readonly choices: Readonly<Record<ChoiceFilter, readonly FilterValue[]>>
  readonly switches: Readonly<Record<SwitchFilter, number>>
}

/** A server in a row of `/browse`. */
export interface PublicRow {
  readonly publicId: string
  /** Of its page: `/s/` and the vanity ID, or the public ID. */
  readonly path: string
  readonly name: string
  readonly description: string
  readonly iconUrl: string | null
  readonly isVerified: boolean
  readonly isPromoted: boolean
  readonly isPassworded: boolean
  readonly isOnline: boolean
  readonly players: number
  readonly maxPlayers: number
  readonly arePlayersConfirmed: boolean
  readonly language: string
  readonly region: string
  readonly gameMode: string
  readonly version: string
  readonly tags: readonly string[]
  /** Its players above the average of the same hour a week ago. Undefined if it is not trending. */
  readonly growth: number | undefined
  /** The highest number of players in each step of the last seven days. Null without data. */
  readonly week: readonly (number | null)[]
}

export interface BrowseView {
  readonly query: BrowseQuery
  /** The whole list. */
  readonly servers: number
  readonly players: number
  /** Servers that match the query. */
  readonly found: number
  /** The name of the group of the query, if one of its servers is listed. */
  readonly groupName: string | undefined
  readonly pages: number
  readonly rows: readonly PublicRow[]
  readonly filters: BrowseFilters
}

/** Seven days of a server, as `backend/services/history/server-weeks.ts` has them. Times are wall milliseconds. */
interface PublicWeek {
  readonly from: number
  readonly stepMs: number
  readonly highest: readonly (number | null)[]
  readonly peak: { readonly players: number; readonly at: number } | undefined
  /** 0 to 1. */
  readonly uptime: number | undefined
}

export interface PublicServerView extends Omit<PublicRow, 'week'> {
  readonly bannerUrl: string
  readonly website: string
  readonly group: { readonly id: string; readonly name: string } | undefined
  readonly branch: string
  /** What players connect to. */
  readonly address: string
  /** Opens the game. Undefined if the operator has set no template. */
  readonly connectUrl: string | undefined
  readonly queue: number
  readonly usesVoiceChat: boolean
  /** When it went online or offline, and when it was registered. Wall milliseconds. */
  readonly since: number
  readonly createdAt: number
  readonly week: PublicWeek | undefined
}

/** This installation. Its addresses have no slash at the end. */
export interface PublicSite {
  readonly origin: string
  readonly listUrl: string
  readonly brand: Brand
  /** Whether players can report servers. */
  readonly acceptsReports: boolean
  /** Pages of the operator, if configured. */
  readonly termsUrl: string | undefined
  readonly privacyUrl: string | undefined
  readonly imprintUrl: string | undefined
}

/** A page with what it shows. The sentences of a problem are in the language of the page. */
export type PublicPage =
  | { readonly kind: 'browse'; readonly view: BrowseView }
  | { readonly kind: 'page' | 'embed'; readonly view: PublicServerView }
  | { readonly kind: 'problem'; readonly status: number; readonly sentences: readonly string[] }

/** The addresses of built files. */
export interface PageAssets {
  readonly script: string
  readonly styles: readonly string[]
  readonly font: string
}

/** What the build makes of `web/public-site/render.tsx`: the HTML of a page. */
export type RenderPublicPage = (
  page: PublicPage,
  context: { readonly language: Language; readonly site: PublicSite; readonly assets: PageAssets },
) => string
