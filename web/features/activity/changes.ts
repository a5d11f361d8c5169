/** What changed, field by field, in words. */
import type { ActivityEntry } from '#contract/activity.ts'
import { BENEFITS, TIERS } from '#contract/benefits.ts'
import { ISSUES } from '#contract/issue-kinds.ts'
import { PERMISSIONS } from '#contract/permissions.ts'
import { CONSEQUENCE, SEVERITY, STATUS } from '#web/features/protection/words.ts'
import { languageName } from '#web/lib/language-name.ts'
import { exactTime } from '#web/lib/time.ts'

export interface Change {
  readonly field: string
  readonly before: string | undefined
  readonly after: string | undefined
}

const FIELDS: Readonly<Record<string, string>> = {
  visible: 'Shown on the list',
  vanity_url: 'Vanity id',
  group_id: 'Group',
  icon_image_id: 'Icon',
  image_id: 'Picture',
  background_image_id: 'Background',
  logo_image_id: 'Logo',
  ui_background_image_id: 'UI background',
  primary_color: 'Colour',
  rss_url: 'News feed',
  ui_url: 'UI address',
  server_ids: 'Only for',
  all_servers: 'For all servers',
  owned_tier: 'Own tier',
  forced_tier: 'Forced tier',
  max_masterlist_tokens: 'Servers allowed',
  max_managers: 'Managers allowed',
  max_masterlist_groups: 'Groups allowed',
  delete_at: 'To be erased',
  ban_reason: 'Reason',
  banned_until: 'End of the ban',
  kind: 'What',
  consequence: 'What follows',
  credential_hint: 'New one ends in',
  grace_seconds: 'Old one works on for',
}

const TIMES = new Set(['delete_at', 'banned_until', 'banned_at'])

/** Long ids say nothing to a reader: of these only whether there is one. */
const OPAQUE = new Set(['icon_image_id', 'image_id', 'background_image_id', 'logo_image_id', 'ui_background_image_id', 'group_id'])

const named = (all: Readonly<Record<string, { name: string }>>) => new Map(Object.entries(all).map(([key, { name }]) => [key, name]))
const NAMES = new Map<string, ReadonlyMap<string, string>>([
  ['permissions', named(PERMISSIONS)],
  ['benefit', named(BENEFITS)],
  ['owned_tier', named(TIERS)],
  ['forced_tier', named(TIERS)],
  ['kind', named(ISSUES)],
  ['severity', named(SEVERITY)],
  ['status', named(STATUS)],
  ['consequence', named(CONSEQUENCE)],
])

/** `game_mode` -> `Game mode`. */
function fieldName(field: string): string {
  const words = field.replaceAll('_', ' ')
  return FIELDS[field] ?? words.charAt(0).toUpperCase() + words.slice(1)
}

/** By its field alone: what somebody wrote may look like anything. */
function textInWords(field: string, text: string): string {
  if (field === 'language') return languageName(text)
  if (TIMES.has(field)) return exactTime(text)
  return NAMES.get(field)?.get(text) ?? text
}

function inWords(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return field.startsWith('max_') ? 'as the tier has it' : 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (field === 'server_ids' && Array.isArray(value) && value.length > 0) return value.length === 1 ? '1 server' : `${value.length} servers`
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((each) => inWords(field, each)).join(', ')
  if (OPAQUE.has(field)) return 'set'
  if (field === 'grace_seconds') return `${Number(value) / 3600} h`
  return typeof value === 'string' ? textInWords(field, value) : JSON.stringify(value)
}

/** Each field that was, or is, in it; a side that the entry says nothing about is left out. */
export function changesOf({ before, after, server }: Pick<ActivityEntry, 'before' | 'after' | 'server'>): Change[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  // Of a server that came or went the sentence has the name already.
  if ((before === null || after === null) && (before ?? after)?.['name'] === server?.name) fields.delete('name')
  fields.delete('issue_id')
  // Without a grace the old one ended with that; there is nothing to say about it.
  if (after?.['grace_seconds'] === 0) fields.delete('grace_seconds')
  return Array.from(fields, (field) => {
    const from = before && field in before ? inWords(field, before[field]) : undefined
    const to = after && field in after ? inWords(field, after[field]) : undefined
    const change = { field: fieldName(field), before: from, after: to }
    if (from === undefined || from !== to) return change
    // What stayed only says what the rest is about.
    if (JSON.stringify(before?.[field]) === JSON.stringify(after?.[field])) return { ...change, before: undefined }
    return { ...change, after: another(field, to) }
  })
}

/** What has another value by the same words. */
function another(field: string, words: string | undefined): string | undefined {
  if (field === 'server_ids') return 'others'
  return OPAQUE.has(field) ? 'another one' : words
}
