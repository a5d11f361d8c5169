/** The changes of an entry, field by field, as text. */
import type { ActivityEntry } from '#contract/events/activity.ts'
import { BENEFITS } from '#contract/benefits/benefit-texts.ts'
import { TIERS } from '#contract/benefits/benefits.ts'
import { ISSUES } from '#contract/protection/issue-kinds.ts'
import { PERMISSIONS } from '#contract/servers/permissions.ts'
import { SERVER_FIELD_NAMES, serverField } from '#contract/servers/server-field-shapes.ts'
import { m } from '#messages'
import { CONSEQUENCE, REPORT_REASONS, SEVERITY, STATUS } from '#web/features/protection/issue-labels.tsx'
import { fieldText } from '#web/lib/code-names.ts'
import { exactTime } from '#web/lib/time.ts'
import { counted } from '#web/ui/count-text.ts'

export interface Change {
  readonly field: string
  readonly before: string | undefined
  readonly after: string | undefined
}

const FIELDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(SERVER_FIELD_NAMES.map((name) => [name, serverField(name).label()])),
  verified: m.servers_flag_verified(),
  bound_address: m.servers_address_title(),
  family: m.activity_field_family(),
  banned: m.common_banned(),
  image_id: m.activity_field_image(),
  background_image_id: m.activity_field_background(),
  logo_image_id: m.activity_field_logo(),
  ui_background_image_id: m.activity_field_ui_background(),
  primary_color: m.activity_field_primary_color(),
  rss_url: m.activity_field_rss_url(),
  ui_url: m.activity_field_ui_url(),
  server_ids: m.activity_field_server_ids(),
  all_servers: m.activity_field_all_servers(),
  owned_tier: m.activity_field_owned_tier(),
  forced_tier: m.activity_field_forced_tier(),
  max_masterlist_tokens: m.activity_field_max_servers(),
  max_managers: m.activity_field_max_managers(),
  max_masterlist_groups: m.activity_field_max_groups(),
  delete_at: m.activity_field_delete_at(),
  ban_reason: m.common_reason(),
  banned_until: m.activity_field_ban_ends(),
  kind: m.activity_field_issue(),
  consequence: m.activity_field_consequence(),
  credential_hint: m.activity_field_credential(),
  prefix: m.activity_field_prefix(),
  leaked_hint: m.activity_field_leaked(),
  grace_seconds: m.activity_field_grace(),
  os: m.activity_field_os(),
  browser: m.activity_field_browser(),
  sessions: m.nav_sessions(),
  benefit: m.users_list_benefit(),
  provider: m.activity_field_provider(),
  permissions: m.managers_permissions(),
  reason: m.common_reason(),
  report_reason: m.common_reason(),
  severity: m.protection_severity(),
  status: m.common_status(),
  scopes: m.managers_permissions(),
  expires_at: m.api_keys_expiry(),
  found_at: m.activity_field_found_at(),
  found_in: m.activity_field_found_in(),
  format: m.activity_field_format(),
  host: m.activity_field_host(),
  events: m.webhooks_form_events(),
  servers: m.nav_servers(),
  offline_after_seconds: m.activity_field_silence(),
  players_above: m.webhooks_form_players(),
  enabled: m.webhooks_enabled(),
  theme: m.preferences_theme(),
  time_zone: m.preferences_time_zone(),
  notifications: m.nav_notifications(),
}

const TIMES = new Set(['delete_at', 'banned_until', 'banned_at', 'expires_at'])

type GroupNames = ActivityEntry['group_names']

/** Fields with opaque IDs. The text only says whether one is set, except for a group with a known name. */
const OPAQUE = new Set<string>([
  ...SERVER_FIELD_NAMES.filter((name) => ['image', 'group'].includes(serverField(name).control)),
  'image_id',
  'background_image_id',
  'logo_image_id',
  'ui_background_image_id',
])

const nameMap = (all: Readonly<Record<string, { name: string | (() => string) }>>) =>
  new Map(Object.entries(all).map(([key, { name }]) => [key, typeof name === 'string' ? name : name()]))
const NAMES = new Map<string, ReadonlyMap<string, string>>([
  ['family', new Map(['4', '6'].map((version) => [`ipv${version}`, m.servers_address_family({ version })]))],
  ['permissions', nameMap(PERMISSIONS)],
  ['benefit', nameMap(BENEFITS)],
  ['owned_tier', nameMap(TIERS)],
  ['forced_tier', nameMap(TIERS)],
  ['kind', nameMap(ISSUES)],
  ['report_reason', nameMap(REPORT_REASONS)],
  ['severity', nameMap(SEVERITY)],
  ['status', nameMap(STATUS)],
  ['consequence', nameMap(CONSEQUENCE)],
])

/** For a field of a newer version: `game_mode` -> `Game mode`. */
function fieldName(field: string): string {
  const text = field.replaceAll('_', ' ')
  return FIELDS[field] ?? text.charAt(0).toUpperCase() + text.slice(1)
}

/** Depends only on the field, because user text may look like a time or a key. */
function stringText(field: string, text: string): string {
  if (TIMES.has(field)) return exactTime(text)
  return NAMES.get(field)?.get(text) ?? fieldText(field, text)
}

function valueText(field: string, value: unknown, groups: GroupNames): string {
  if (value === null || value === undefined || value === '') return unsetText(field)
  if (typeof value === 'boolean') return value ? m.activity_value_yes() : m.activity_value_no()
  if (field === 'server_ids' && Array.isArray(value) && value.length > 0) return m.count_servers(counted(value.length))
  if (Array.isArray(value)) return value.map((each) => valueText(field, each, groups)).join(', ') || m.activity_value_none()
  if (OPAQUE.has(field)) return groups[value as string] ?? m.activity_value_set()
  if (field === 'grace_seconds') return m.activity_value_hours({ count: Number(value) / 3600 })
  if (typeof value !== 'object') return typeof value === 'string' ? stringText(field, value) : JSON.stringify(value)
  return Object.entries(value)
    .map(([key, each]) => `${key}: ${valueText(key, each, groups)}`)
    .join(', ')
}

function unsetText(field: string): string {
  if (field === 'time_zone') return m.activity_value_browser()
  return field.startsWith('max_') ? m.activity_value_tier() : m.activity_value_none()
}

/** One change for each field; a side that is not in the entry is undefined. */
export function changesOf(entry: Pick<ActivityEntry, 'before' | 'after' | 'server'> & { group_names?: GroupNames }): Change[] {
  const { before, after, server, group_names: groups = {} } = entry
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  // The sentence already names a created or deleted server.
  if ((before === null || after === null) && (before ?? after)?.['name'] === server?.name) fields.delete('name')
  fields.delete('issue_id')
  // Without a grace period, the old credential ended at once.
  if (after?.['grace_seconds'] === 0) fields.delete('grace_seconds')
  return Array.from(fields, (field) => {
    const from = before && field in before ? valueText(field, before[field], groups) : undefined
    const to = after && field in after ? valueText(field, after[field], groups) : undefined
    const change = { field: fieldName(field), before: from, after: to }
    if (from === undefined || from !== to) return change
    // An unchanged field only gives context.
    if (JSON.stringify(before?.[field]) === JSON.stringify(after?.[field])) return { ...change, before: undefined }
    return { ...change, after: differentValue(field, to) }
  })
}

/** The text of a new value whose text equals that of the old value. */
function differentValue(field: string, text: string | undefined): string | undefined {
  if (field === 'server_ids') return m.activity_value_other_servers()
  return OPAQUE.has(field) ? m.activity_value_replaced() : text
}
