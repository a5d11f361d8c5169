/**
 * Everything that is held on a person, table by table: which rows are theirs, what the erasure does with them (in this order), and what
 * their export shows. A test compares the list with the database: a table or column that nobody put here fails it.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '#backend/platform/database/tables.ts'

/**
 * - `deleted`: the rows go
 * - `revoked`: the rows end and stay without their server, so that a late announce is told "revoked"
 * - `anonymised`: the rows stay for the others in them; an id that leads to nobody replaces the person's, and what was about their own
 *   things says only that it happened
 * - `unnamed`: the rows stay and name nobody
 */
export type ErasureMode = 'deleted' | 'revoked' | 'anonymised' | 'unnamed'

type Condition = (userId: string) => RawBuilder<boolean>

interface Ownership {
  /** The columns that name a person; none where the rows are theirs because the server is. */
  readonly personColumns: readonly string[]
  readonly ownedRows: Condition
}

export interface PersonalDataTable extends Ownership {
  readonly table: keyof Tables
  readonly onErasure: ErasureMode
  readonly exportedColumns: readonly string[]
  /** What never leaves: secrets and their hashes, and what repeats another column. */
  readonly withheldColumns: readonly string[]
  readonly exportedRows: Condition
}

const splitWords = (text: string) => text.match(/\S+/g) ?? []

/** @param exported the columns that the export shows, between spaces. */
function entry(
  table: keyof Tables,
  fate: ErasureMode,
  whose: Ownership,
  exported: string,
  { withheld = '', shown = whose.ownedRows }: { withheld?: string; shown?: Condition } = {},
): PersonalDataTable {
  return {
    table,
    onErasure: fate,
    ...whose,
    exportedColumns: splitWords(exported),
    withheldColumns: splitWords(withheld),
    exportedRows: shown,
  }
}

function namedIn(...people: readonly string[]): Ownership {
  const isNamed = (userId: string) => people.map((column) => sql`${sql.ref(column)} = ${userId}::uuid`)
  return { personColumns: people, ownedRows: (userId) => sql.join(isNamed(userId), sql` or `) }
}

/** Rows that are the person's by something else. */
const owned = (theirs: Condition): Ownership => ({ personColumns: [], ownedRows: theirs })

export const serverIdsOf = (userId: string) => sql`(select public_id from servers where owner_id = ${userId}::uuid)`
const issueIdsOf = (userId: string) => sql`(select id from protection_issues where user_id = ${userId}::uuid)`
const BY_SERVER = owned((userId) => sql`server_id in ${serverIdsOf(userId)}`)

export const PERSONAL_DATA: readonly PersonalDataTable[] = [
  entry('transfers', 'deleted', namedIn('from_user_id', 'to_user_id'), 'id server_id from_user_id to_user_id created_at expires_at'),
  entry('manager_grants', 'deleted', namedIn('owner_id', 'manager_id'), 'id owner_id manager_id permissions created_at'),
  entry('announce_attempts', 'deleted', BY_SERVER, 'id server_id at code detail address'),
  entry('player_samples', 'deleted', BY_SERVER, 'server_id hour players'),
  entry('player_history', 'deleted', BY_SERVER, 'server_id step_minutes from_at steps'),
  entry('presence', 'deleted', BY_SERVER, 'server_id online since ended_by last_announce_at address credential_id announce changed_at', {
    withheld: 'registered_at players',
  }),
  entry(
    'credential_uses',
    'deleted',
    owned((userId) => sql`credential_id in (select id from credentials where server_id in ${serverIdsOf(userId)})`),
    'credential_id bound_address bound_at last_used_at',
  ),
  entry('credentials', 'revoked', BY_SERVER, 'id server_id hint issued_at grace_until revoked_at', { withheld: 'hash' }),
  entry(
    'protection_issues',
    'deleted',
    namedIn('user_id'),
    `id user_id server_id server_name kind severity status consequence consequence_at summary evidence occurrences
     first_seen_at last_seen_at opened_at closed_at`,
    { withheld: 'severity_rank fingerprint is_open is_consequence_chosen' },
  ),
  // What was said about their own issues went with them; what they said of others' as an administrator names nobody any more.
  entry(
    'protection_timeline',
    'unnamed',
    { personColumns: ['actor_id'], ownedRows: (userId) => sql`actor_id = ${userId}::uuid or issue_id in ${issueIdsOf(userId)}` },
    'id issue_id at kind by status consequence text',
    { withheld: 'actor_id', shown: (userId) => sql`kind <> 'NOTE' and issue_id in ${issueIdsOf(userId)}` },
  ),
  entry('benefit_settings_servers', 'deleted', namedIn('user_id'), 'user_id key server_id'),
  entry(
    'benefit_settings',
    'deleted',
    namedIn('user_id'),
    `user_id key for_all image_id name primary_color background_image_id logo_image_id ui_background_image_id rss_url ui_url
     updated_at`,
  ),
  entry('remembered_bans', 'deleted', namedIn('owner_id'), 'owner_id name_key bound_address ban_reason banned_at banned_until'),
  entry(
    'servers',
    'deleted',
    namedIn('owner_id'),
    `public_id owner_id name name_key name_key_version description language tags game_mode website visible hidden_at vanity_url
     promoted verified banned ban_reason banned_at banned_until group_id icon_image_id created_at updated_at`,
    { withheld: 'search_text lower_tags' },
  ),
  // The cooldown goes on without their name; their servers' own ids came here a moment ago.
  entry('released_vanity_ids', 'unnamed', namedIn('released_by'), 'released_by released_at', { withheld: 'digest' }),
  entry('server_groups', 'deleted', namedIn('owner_id'), 'id owner_id name created_at'),
  // Their files go by the sweep, once no row has them.
  entry('images', 'deleted', namedIn('owner_id'), 'id owner_id purpose file width height mime bytes is_copy created_at'),
  entry(
    'supporters',
    'deleted',
    owned((userId) => sql`discord_id = (select discord_id from users where id = ${userId}::uuid)`),
    'provider member_id discord_id tier updated_at',
  ),
  entry('benefit_grants', 'deleted', namedIn('user_id'), 'user_id key granted_at'),
  entry('sessions', 'deleted', namedIn('user_id'), 'user_id created_at last_used_at expires_at', { withheld: 'id_hash' }),
  entry(
    'activity',
    'anonymised',
    {
      // The erasure blanks only what the person owns (`erasure.ts`): mind that when you add a column.
      personColumns: ['owner_id', 'other_id', 'actor_id'],
      // What administrators did has an index of its own: asked for apart, each part is found by one.
      ownedRows: (userId) => sql`owner_id = ${userId}::uuid or other_id = ${userId}::uuid
        or (actor_id = ${userId}::uuid and role <> 'administrator') or (actor_id = ${userId}::uuid and role = 'administrator')`,
    },
    'id at action role actor_id owner_id other_id server_id server_name before after',
    {
      // What an administrator did to others is for administrators to know.
      shown: (userId) => sql`owner_id = ${userId}::uuid or other_id = ${userId}::uuid
        or (actor_id = ${userId}::uuid and role <> 'administrator')`,
    },
  ),
  entry(
    'users',
    'deleted',
    namedIn('id'),
    `id discord_id username avatar owned_tier forced_tier max_servers max_managers max_groups banned ban_reason banned_at banned_until
     delete_at signed_in_at created_at updated_at`,
    { withheld: 'search_text active_tier' },
  ),
]

/** Tables that hold nothing on anybody: hashes that lead to nobody, the program's own state, and sums of the whole list. */
export const IMPERSONAL_TABLES: readonly string[] = splitWords(
  `used_sign_in_states supporter_webhook_deliveries file_deletions cloud_auth_keys cloud_auth_secret migration_digests schema_migrations
   nodes leases presence_epoch list_samples list_history`,
)
