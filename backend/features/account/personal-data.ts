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
export type Fate = 'deleted' | 'revoked' | 'anonymised' | 'unnamed'

type Condition = (userId: string) => RawBuilder<boolean>

interface Whose {
  /** The columns that name a person; none where the rows are theirs because the server is. */
  readonly people: readonly string[]
  readonly theirs: Condition
}

export interface Holding extends Whose {
  readonly table: keyof Tables
  readonly fate: Fate
  readonly exported: readonly string[]
  /** What never leaves: secrets and their hashes, and what repeats another column. */
  readonly withheld: readonly string[]
  readonly shown: Condition
}

const words = (text: string) => text.match(/\S+/g) ?? []

/** @param exported the columns that the export shows, between spaces. */
function held(
  table: keyof Tables,
  fate: Fate,
  whose: Whose,
  exported: string,
  { withheld = '', shown = whose.theirs }: { withheld?: string; shown?: Condition } = {},
): Holding {
  return { table, fate, ...whose, exported: words(exported), withheld: words(withheld), shown }
}

function naming(...people: readonly string[]): Whose {
  const isNamed = (userId: string) => people.map((column) => sql`${sql.ref(column)} = ${userId}::uuid`)
  return { people, theirs: (userId) => sql.join(isNamed(userId), sql` or `) }
}

/** Rows that are the person's by something else. */
const where = (theirs: Condition): Whose => ({ people: [], theirs })

export const serversOf = (userId: string) => sql`(select public_id from servers where owner_id = ${userId}::uuid)`
const issuesOf = (userId: string) => sql`(select id from protection_issues where user_id = ${userId}::uuid)`
const OF_THEIR_SERVERS = where((userId) => sql`server_id in ${serversOf(userId)}`)

export const HOLDINGS: readonly Holding[] = [
  held('transfers', 'deleted', naming('from_user_id', 'to_user_id'), 'id server_id from_user_id to_user_id created_at expires_at'),
  held('managements', 'deleted', naming('owner_id', 'manager_id'), 'id owner_id manager_id permissions created_at'),
  held('announce_attempts', 'deleted', OF_THEIR_SERVERS, 'id server_id at code detail address'),
  held('player_samples', 'deleted', OF_THEIR_SERVERS, 'server_id hour players'),
  held('player_history', 'deleted', OF_THEIR_SERVERS, 'server_id step_minutes from_at steps'),
  held(
    'presence',
    'deleted',
    OF_THEIR_SERVERS,
    'server_id online since ended_by last_announce_at address credential_id announce changed_at',
    { withheld: 'registered_at players' },
  ),
  held(
    'credential_uses',
    'deleted',
    where((userId) => sql`credential_id in (select id from credentials where server_id in ${serversOf(userId)})`),
    'credential_id bound_address bound_at last_used_at',
  ),
  held('credentials', 'revoked', OF_THEIR_SERVERS, 'id server_id hint issued_at grace_until revoked_at', { withheld: 'hash' }),
  held(
    'protection_issues',
    'deleted',
    naming('user_id'),
    `id user_id server_id server_name kind severity status consequence consequence_at summary evidence occurrences
     first_seen_at last_seen_at opened_at ended_at`,
    { withheld: 'severity_rank fingerprint is_open is_consequence_chosen' },
  ),
  // What was said about their own issues went with them; what they said of others' as an administrator names nobody any more.
  held(
    'protection_timeline',
    'unnamed',
    { people: ['actor_id'], theirs: (userId) => sql`actor_id = ${userId}::uuid or issue_id in ${issuesOf(userId)}` },
    'id issue_id at kind by status consequence text',
    { withheld: 'actor_id', shown: (userId) => sql`kind <> 'NOTE' and issue_id in ${issuesOf(userId)}` },
  ),
  held('benefit_settings_servers', 'deleted', naming('user_id'), 'user_id key server_id'),
  held(
    'benefit_settings',
    'deleted',
    naming('user_id'),
    `user_id key for_all image_id name primary_color background_image_id logo_image_id ui_background_image_id rss_url ui_url
     updated_at`,
  ),
  held('remembered_bans', 'deleted', naming('owner_id'), 'owner_id name_key bound_address ban_reason banned_at banned_until'),
  held(
    'servers',
    'deleted',
    naming('owner_id'),
    `public_id owner_id name name_key name_key_version description language tags game_mode website visible hidden_at vanity_url
     promoted verified banned ban_reason banned_at banned_until group_id icon_image_id created_at updated_at`,
    { withheld: 'search_text lower_tags' },
  ),
  // The cooldown goes on without their name; their servers' own ids came here a moment ago.
  held('freed_vanity_ids', 'unnamed', naming('freed_by'), 'freed_by freed_at', { withheld: 'digest' }),
  held('server_groups', 'deleted', naming('owner_id'), 'id owner_id name created_at'),
  // Their files go by the sweep, once no row has them.
  held('images', 'deleted', naming('owner_id'), 'id owner_id purpose file width height mime bytes is_copy created_at'),
  held(
    'supporters',
    'deleted',
    where((userId) => sql`discord_id = (select discord_id from users where id = ${userId}::uuid)`),
    'provider member_id discord_id tier updated_at',
  ),
  held('benefit_grants', 'deleted', naming('user_id'), 'user_id key granted_at'),
  held('sessions', 'deleted', naming('user_id'), 'user_id created_at last_used_at expires_at', { withheld: 'id_hash' }),
  held(
    'activity',
    'anonymised',
    {
      // The erasure blanks only what the person owns (`erasure.ts`): mind that when you add a column.
      people: ['owner_id', 'other_id', 'actor_id'],
      // What administrators did has an index of its own: asked for apart, each part is found by one.
      theirs: (userId) => sql`owner_id = ${userId}::uuid or other_id = ${userId}::uuid
        or (actor_id = ${userId}::uuid and role <> 'administrator') or (actor_id = ${userId}::uuid and role = 'administrator')`,
    },
    'id at action role actor_id owner_id other_id server_id server_name before after',
    {
      // What an administrator did to others is for administrators to know.
      shown: (userId) => sql`owner_id = ${userId}::uuid or other_id = ${userId}::uuid
        or (actor_id = ${userId}::uuid and role <> 'administrator')`,
    },
  ),
  held(
    'users',
    'deleted',
    naming('id'),
    `id discord_id username avatar owned_tier forced_tier max_servers max_managers max_groups banned ban_reason banned_at banned_until
     delete_at signed_in_at created_at updated_at`,
    { withheld: 'search_text active_tier' },
  ),
]

/** Tables that hold nothing on anybody: hashes that lead to nobody, the program's own state, and sums of the whole list. */
export const OF_NOBODY: readonly string[] = words(
  `used_sign_in_states supporter_notices doomed_files cloud_auth_keys cloud_auth_secret migration_digests schema_migrations
   nodes leases presence_life list_samples list_history`,
)
