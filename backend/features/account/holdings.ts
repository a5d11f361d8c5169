/**
 * Everything that is held on a person, table by table: which rows are his, what the erasure does with them (in this order), and what
 * his export shows of them. A test compares the list with the database: a table or column that nobody put here fails it.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Tables } from '#backend/database/tables.ts'

/**
 * - `deleted`: the rows go
 * - `revoked`: the rows end, let go of their server and stay, so that a late announce is told "revoked"
 * - `anonymised`: the rows stay for the others in them; an id that leads to nobody stands in for his, and what was about his own
 *   things says no more than that it happened
 * - `unnamed`: the rows stay and name nobody
 */
export type Fate = 'deleted' | 'revoked' | 'anonymised' | 'unnamed'

export interface Holding {
  readonly table: keyof Tables
  /** The columns that name a person; none where the rows are his because the server is. */
  readonly people: readonly string[]
  readonly his: (userId: string) => RawBuilder<boolean>
  /** Which of them his export shows, where it does not show all. */
  readonly shown?: (userId: string) => RawBuilder<boolean>
  readonly fate: Fate
  readonly exported: readonly string[]
  /** What never leaves: secrets, and what is only a hash of one. */
  readonly withheld: readonly string[]
}

/** Rows that name the person himself. */
function naming(...people: readonly string[]): Pick<Holding, 'people' | 'his'> {
  return {
    people,
    his: (userId) =>
      sql.join(
        people.map((column) => sql`${sql.ref(column)} = ${userId}::uuid`),
        sql` or `,
      ),
  }
}

const hisServers = (userId: string) => sql`(select public_id from servers where owner_id = ${userId}::uuid)`
const hisCredentials = (userId: string) => sql`(select id from credentials where server_id in ${hisServers(userId)})`

/** Rows of his servers. */
const OF_HIS_SERVERS: Pick<Holding, 'people' | 'his'> = { people: [], his: (userId) => sql`server_id in ${hisServers(userId)}` }

export const HOLDINGS: readonly Holding[] = [
  {
    table: 'transfers',
    ...naming('from_user_id', 'to_user_id'),
    fate: 'deleted',
    exported: ['id', 'server_id', 'from_user_id', 'to_user_id', 'created_at', 'expires_at'],
    withheld: [],
  },
  {
    table: 'managements',
    ...naming('owner_id', 'manager_id'),
    fate: 'deleted',
    exported: ['id', 'owner_id', 'manager_id', 'permissions', 'created_at'],
    withheld: [],
  },
  {
    table: 'announce_attempts',
    ...OF_HIS_SERVERS,
    fate: 'deleted',
    exported: ['id', 'server_id', 'at', 'code', 'detail', 'address'],
    withheld: [],
  },
  {
    table: 'player_samples',
    ...OF_HIS_SERVERS,
    fate: 'deleted',
    exported: ['server_id', 'hour', 'players'],
    withheld: [],
  },
  {
    table: 'presence',
    ...OF_HIS_SERVERS,
    fate: 'deleted',
    exported: ['server_id', 'online', 'since', 'ended_by', 'last_announce_at', 'address', 'credential_id', 'announce', 'changed_at'],
    // They say again what stands elsewhere.
    withheld: ['registered_at', 'players'],
  },
  {
    table: 'credential_uses',
    people: [],
    his: (userId) => sql`credential_id in ${hisCredentials(userId)}`,
    fate: 'deleted',
    exported: ['credential_id', 'bound_address', 'bound_at', 'last_used_at'],
    withheld: [],
  },
  {
    table: 'credentials',
    ...OF_HIS_SERVERS,
    fate: 'revoked',
    exported: ['id', 'server_id', 'hint', 'issued_at', 'grace_until', 'revoked_at'],
    withheld: ['hash'],
  },
  {
    table: 'protection_issues',
    ...naming('user_id'),
    fate: 'deleted',
    exported: [
      'id',
      'user_id',
      'server_id',
      'server_name',
      'kind',
      'severity',
      'status',
      'consequence',
      'consequence_at',
      'summary',
      'evidence',
      'occurrences',
      'first_seen_at',
      'last_seen_at',
      'ended_at',
    ],
    withheld: ['severity_rank', 'fingerprint', 'is_open', 'is_consequence_chosen'],
  },
  {
    // What was said about his own issues went with them; what he said of others' as an administrator names nobody any more.
    table: 'protection_timeline',
    people: ['actor_id'],
    his: (userId) => sql`actor_id = ${userId}::uuid
      or issue_id in (select id from protection_issues where user_id = ${userId}::uuid)`,
    shown: (userId) => sql`kind <> 'NOTE' and issue_id in (select id from protection_issues where user_id = ${userId}::uuid)`,
    fate: 'unnamed',
    exported: ['id', 'issue_id', 'at', 'kind', 'by', 'status', 'consequence', 'text'],
    withheld: ['actor_id'],
  },
  {
    table: 'benefit_settings_servers',
    ...naming('user_id'),
    fate: 'deleted',
    exported: ['user_id', 'key', 'server_id'],
    withheld: [],
  },
  {
    table: 'benefit_settings',
    ...naming('user_id'),
    fate: 'deleted',
    exported: [
      'user_id',
      'key',
      'for_all',
      'image_id',
      'name',
      'primary_color',
      'background_image_id',
      'logo_image_id',
      'ui_background_image_id',
      'rss_url',
      'ui_url',
      'updated_at',
    ],
    withheld: [],
  },
  {
    table: 'servers',
    ...naming('owner_id'),
    fate: 'deleted',
    exported: [
      'public_id',
      'owner_id',
      'name',
      'name_key',
      'description',
      'language',
      'tags',
      'game_mode',
      'website',
      'visible',
      'hidden_at',
      'vanity_url',
      'promoted',
      'verified',
      'banned',
      'ban_reason',
      'banned_at',
      'banned_until',
      'group_id',
      'icon_image_id',
      'created_at',
      'updated_at',
    ],
    withheld: ['search_text'],
  },
  {
    // What he gave up rests on, without his name; his servers' own came here a moment ago.
    table: 'freed_vanity_ids',
    ...naming('freed_by'),
    fate: 'unnamed',
    exported: ['freed_by', 'freed_at'],
    withheld: ['digest'],
  },
  {
    table: 'server_groups',
    ...naming('owner_id'),
    fate: 'deleted',
    exported: ['id', 'owner_id', 'name', 'created_at'],
    withheld: [],
  },
  {
    // Their files go by the sweep, once no row has them.
    table: 'images',
    ...naming('owner_id'),
    fate: 'deleted',
    exported: ['id', 'owner_id', 'purpose', 'file', 'width', 'height', 'mime', 'bytes', 'is_copy', 'created_at'],
    withheld: [],
  },
  {
    table: 'supporters',
    people: [],
    his: (userId) => sql`discord_id = (select discord_id from users where id = ${userId}::uuid)`,
    fate: 'deleted',
    exported: ['provider', 'member_id', 'discord_id', 'tier', 'updated_at'],
    withheld: [],
  },
  {
    table: 'benefit_grants',
    ...naming('user_id'),
    fate: 'deleted',
    exported: ['user_id', 'key', 'granted_at'],
    withheld: [],
  },
  {
    table: 'sessions',
    ...naming('user_id'),
    fate: 'deleted',
    exported: ['user_id', 'created_at', 'last_used_at', 'expires_at'],
    withheld: ['id_hash'],
  },
  {
    table: 'activity',
    // Whoever is added here: what is blanked with him is what he owns (`erasure.ts`).
    people: ['owner_id', 'other_id', 'actor_id'],
    // What administrators did has an index of its own: asked for apart, each part is found by one.
    his: (userId) => sql`owner_id = ${userId}::uuid or other_id = ${userId}::uuid
      or (actor_id = ${userId}::uuid and role <> 'administrator') or (actor_id = ${userId}::uuid and role = 'administrator')`,
    // What an administrator did to others is for administrators to know.
    shown: (userId) => sql`owner_id = ${userId}::uuid or other_id = ${userId}::uuid
      or (actor_id = ${userId}::uuid and role <> 'administrator')`,
    fate: 'anonymised',
    exported: ['id', 'at', 'action', 'role', 'actor_id', 'owner_id', 'other_id', 'server_id', 'server_name', 'before', 'after'],
    withheld: [],
  },
  {
    table: 'users',
    ...naming('id'),
    fate: 'deleted',
    exported: [
      'id',
      'discord_id',
      'username',
      'avatar',
      'owned_tier',
      'forced_tier',
      'max_servers',
      'max_managers',
      'max_groups',
      'banned',
      'ban_reason',
      'banned_at',
      'banned_until',
      'delete_at',
      'signed_in_at',
      'created_at',
      'updated_at',
    ],
    withheld: ['search_text'],
  },
]

/** Tables that hold nothing on anybody. A state of a sign-in is a hash of random letters that nobody's name stands beside. */
export const OF_NOBODY: readonly string[] = [
  'used_sign_in_states',
  'doomed_files',
  // A hash of a notice leads to nobody.
  'supporter_notices',
  'cloud_auth_keys',
  'cloud_auth_secret',
  'migration_digests',
]
