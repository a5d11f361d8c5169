/**
 * All personal data, table by table: which rows belong to a user, how the erasure treats them (in this order), and what the export
 * contains. A test fails on any table or column of the database that is missing here.
 */
import { type RawBuilder, sql } from 'kysely'
import { SERVER_FIELD_NAMES } from '#contract/servers/server-field-shapes.ts'
import type { Tables } from '#backend/platform/database/tables.ts'

/**
 * - `deleted`: the rows are deleted
 * - `revoked`: the credentials are revoked and stay without their server, so that a late announce is rejected as "revoked"
 * - `anonymized`: the rows stay for the other users in them; a random id replaces the user's, and details of their own servers are
 *   removed
 * - `unlinked`: the rows stay; the user's id is set to null
 */
export type ErasureMode = 'deleted' | 'revoked' | 'anonymized' | 'unlinked'

type Condition = (userId: string) => RawBuilder<boolean>

interface Ownership {
  /** The columns with user ids; empty if the rows belong to a user through a server. */
  readonly personColumns: readonly string[]
  readonly ownedRows: Condition
}

export interface PersonalDataTable extends Ownership {
  readonly table: keyof Tables
  readonly onErasure: ErasureMode
  /** The name in the export. */
  readonly exportedAs: string
  readonly exportedColumns: readonly string[]
  /** Never exported: secrets, their hashes, and derived columns. */
  readonly withheldColumns: readonly string[]
  readonly exportedRows: Condition
}

const splitWords = (text: string) => text.match(/\S+/g) ?? []

/** @param exported column names, separated by spaces. */
function entry(
  table: keyof Tables,
  onErasure: ErasureMode,
  ownership: Ownership,
  exported: string,
  {
    withheld = '',
    exportedRows = ownership.ownedRows,
    exportedAs = table,
  }: { withheld?: string; exportedRows?: Condition; exportedAs?: string } = {},
): PersonalDataTable {
  return {
    table,
    onErasure,
    ...ownership,
    exportedAs,
    exportedColumns: splitWords(exported),
    withheldColumns: splitWords(withheld),
    exportedRows,
  }
}

function namedIn(...columns: readonly string[]): Ownership {
  const isNamed = (userId: string) => columns.map((column) => sql`${sql.ref(column)} = ${userId}::uuid`)
  return { personColumns: columns, ownedRows: (userId) => sql.join(isNamed(userId), sql` or `) }
}

/** Rows that belong to the user without a column of theirs. */
const owned = (ownedRows: Condition): Ownership => ({ personColumns: [], ownedRows })

const serverIdsOf = (userId: string) => sql`(select public_id from all_servers where owner_id = ${userId}::uuid)`
const webhookIdsOf = (userId: string) => sql`(select id from webhooks where owner_id = ${userId}::uuid)`
const issueIdsOf = (userId: string) => sql`(select id from protection_issues where user_id = ${userId}::uuid)`
/** Reports that haven't reached the owner say nothing yet. */
const visibleIssueIdsOf = (userId: string) =>
  sql`(select id from protection_issues where user_id = ${userId}::uuid and is_visible_to_owner)`
const BY_SERVER = owned((userId) => sql`server_id in ${serverIdsOf(userId)}`)

export const PERSONAL_DATA: readonly PersonalDataTable[] = [
  entry('transfers', 'deleted', namedIn('from_user_id', 'to_user_id'), 'id server_id from_user_id to_user_id created_at expires_at'),
  entry('manager_grants', 'deleted', namedIn('owner_id', 'manager_id'), 'id owner_id manager_id permissions created_at'),
  entry('endpoint_proofs', 'deleted', BY_SERVER, 'server_id host port addresses is_name_proven proven_at failure failed_at'),
  entry('announce_attempts', 'deleted', BY_SERVER, 'id server_id at code detail address'),
  entry('player_buckets', 'deleted', BY_SERVER, 'server_id bucket_minutes at players highest online sampled'),
  entry('server_restarts', 'deleted', BY_SERVER, 'server_id at version previous_version offline_since'),
  entry(
    'presence',
    'deleted',
    BY_SERVER,
    'server_id online since ended_by last_announce_at address other_address endpoint_since credential_id announce changed_at',
    {
      withheld: 'registered_at players',
    },
  ),
  entry(
    'credential_uses',
    'deleted',
    owned((userId) => sql`credential_id in (select id from credentials where server_id in ${serverIdsOf(userId)})`),
    'credential_id last_used_at',
  ),
  entry(
    'credential_addresses',
    'deleted',
    owned((userId) => sql`credential_id in (select id from credentials where server_id in ${serverIdsOf(userId)})`),
    'credential_id address bound_at',
    { withheld: 'family' },
  ),
  entry('credentials', 'revoked', BY_SERVER, 'id server_id hint issued_at grace_until revoked_at', { withheld: 'hash' }),
  // Reports of the user's own servers belong to the reporters. They are deleted with the servers.
  entry('server_reports', 'deleted', namedIn('user_id'), 'id server_id user_id reason details created_at outcome decided_at', {
    withheld: 'issue_id is_counted',
  }),
  entry(
    'protection_issues',
    'deleted',
    namedIn('user_id'),
    `id user_id server_id server_name kind severity status consequence consequence_at summary evidence occurrences
     first_seen_at last_seen_at opened_at closed_at`,
    {
      withheld: 'severity_rank fingerprint is_open is_consequence_chosen is_visible_to_owner',
      exportedRows: (userId) => sql`id in ${visibleIssueIdsOf(userId)}`,
    },
  ),
  // Entries on their own issues are deleted with the issues. Entries they wrote as an administrator lose their name.
  entry(
    'protection_timeline',
    'unlinked',
    { personColumns: ['actor_id'], ownedRows: (userId) => sql`actor_id = ${userId}::uuid or issue_id in ${issueIdsOf(userId)}` },
    'id issue_id at kind by status consequence text',
    { withheld: 'actor_id', exportedRows: (userId) => sql`kind <> 'NOTE' and issue_id in ${visibleIssueIdsOf(userId)}` },
  ),
  entry(
    'webhook_deliveries',
    'deleted',
    owned((userId) => sql`webhook_id in ${webhookIdsOf(userId)}`),
    `id webhook_id event_id event_type body state attempt created_at attempted_at next_attempt_at duration_ms request_headers
     response_status response_body error traceparent`,
    { withheld: 'seq' },
  ),
  entry(
    'server_watch_states',
    'deleted',
    { personColumns: ['user_id'], ownedRows: (userId) => sql`user_id = ${userId}::uuid or server_id in ${serverIdsOf(userId)}` },
    'webhook_id server_id user_id is_offline is_listed is_above is_shared',
    { withheld: 'binding', exportedRows: (userId) => sql`user_id = ${userId}::uuid` },
  ),
  entry(
    'webhooks',
    'deleted',
    namedIn('owner_id'),
    `id owner_id name kind url events server_ids offline_after_seconds players_above enabled disabled_reason previous_secret_until
     watching_since failing_since paused_until last_attempt_at last_status created_at`,
    { withheld: 'secret previous_secret older_secrets claimed_until' },
  ),
  entry('api_keys', 'deleted', namedIn('user_id'), 'id user_id name prefix scopes created_at expires_at last_used_at revoked_at', {
    withheld: 'hash',
  }),
  // After everything whose change notifies, so that a concurrent change cannot add a notification afterwards.
  entry(
    'notifications',
    'deleted',
    {
      personColumns: ['user_id', 'actor_id'],
      ownedRows: (userId) => sql`user_id = ${userId}::uuid or actor_id = ${userId}::uuid or server_id in ${serverIdsOf(userId)}`,
    },
    'id user_id type actor_id server_id server_name data created_at read_at',
    // Notifications of others that name the user belong to others.
    { exportedRows: (userId) => sql`user_id = ${userId}::uuid` },
  ),
  entry('pinned_servers', 'deleted', namedIn('user_id'), 'user_id server_id pinned_at'),
  entry('benefit_settings_servers', 'deleted', namedIn('user_id'), 'user_id key server_id'),
  entry(
    'benefit_settings',
    'deleted',
    namedIn('user_id'),
    `user_id key for_all image_id name primary_color background_image_id logo_image_id ui_background_image_id rss_url ui_url
     updated_at version`,
  ),
  entry(
    'remembered_bans',
    'deleted',
    namedIn('owner_id'),
    'owner_id name_key bound_address other_address ban_reason banned_at banned_until',
  ),
  // With the deleted ones in the bin.
  entry(
    'all_servers',
    'deleted',
    namedIn('owner_id'),
    `public_id owner_id ${SERVER_FIELD_NAMES.join(' ')} name_key name_key_version hidden_at verified banned ban_reason banned_at
     banned_until created_at updated_at version deleted_at last_deleted_at`,
    { withheld: 'search_text lower_tags', exportedAs: 'servers' },
  ),
  // The cooldown continues without their name. Deleting their servers has just added rows here.
  entry('released_vanity_ids', 'unlinked', namedIn('released_by'), 'released_by released_at', { withheld: 'digest' }),
  entry('server_groups', 'deleted', namedIn('owner_id'), 'id owner_id name created_at version'),
  // The sweep deletes their files once no row references them.
  entry('images', 'deleted', namedIn('owner_id'), 'id owner_id purpose file width height mime bytes is_copy created_at'),
  entry(
    'supporters',
    'deleted',
    owned((userId) => sql`discord_id = (select discord_id from users where id = ${userId}::uuid)`),
    'provider member_id discord_id tier updated_at',
  ),
  entry('benefit_grants', 'deleted', namedIn('user_id'), 'user_id key granted_at'),
  entry('sessions', 'deleted', namedIn('user_id'), 'id user_id created_at last_seen_at expires_at browser os masked_address', {
    withheld: 'id_hash',
  }),
  entry('identities', 'deleted', namedIn('user_id'), 'issuer subject user_id name roles created_at last_signed_in_at'),
  entry('recovery_links', 'deleted', namedIn('user_id'), 'user_id created_at expires_at', { withheld: 'token_hash' }),
  entry('preferences', 'deleted', namedIn('user_id'), 'user_id language time_zone theme notifications updated_at'),
  entry(
    'activity',
    'anonymized',
    {
      // The erasure blanks only rows that the user owns (`erasure.ts`): check it when you add a column.
      personColumns: ['owner_id', 'other_id', 'actor_id'],
      // Actions of administrators have a separate index; the split conditions let each part use an index.
      ownedRows: (userId) => sql`owner_id = ${userId}::uuid or other_id = ${userId}::uuid
        or (actor_id = ${userId}::uuid and role <> 'administrator') or (actor_id = ${userId}::uuid and role = 'administrator')`,
    },
    'id at action role actor_id owner_id other_id server_id server_name api_key_name before after',
    {
      // Only administrators may see what an administrator did to others.
      exportedRows: (userId) => sql`owner_id = ${userId}::uuid or other_id = ${userId}::uuid
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

/** Tables without personal data: unlinkable hashes, the program's own state, and totals of the list. */
export const IMPERSONAL_TABLES: readonly string[] = splitWords(
  `used_sign_in_states supporter_webhook_deliveries file_deletions cloud_auth_keys cloud_auth_secret migration_digests schema_migrations
   nodes leases list_buckets discord_url_limits erased_users`,
)
