import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { ServerFieldName, StoredFields } from '#contract/servers/server-field-shapes.ts'

/** The columns of `contract/servers/server-fields.ts`. Only the name has no default. */
type FieldColumns = { [Field in ServerFieldName]: Field extends 'name' ? string : Generated<StoredFields[Field]> }

export interface ServerColumns extends FieldColumns {
  public_id: string
  owner_id: string
  name_key: string
  name_key_version: Generated<number>
  hidden_at: Generated<Date | null>
  verified: Generated<boolean>
  banned: Generated<boolean>
  ban_reason: Generated<string | null>
  banned_at: Generated<Date | null>
  banned_until: Generated<Date | null>
  /** Set by a trigger. */
  search_text: GeneratedAlways<string>
  lower_tags: GeneratedAlways<string[]>
  created_at: Generated<Date>
  updated_at: Generated<Date>
  /** Raised by a trigger when a column changes that people edit. */
  version: GeneratedAlways<number>
}

export interface ServerTables {
  /** A view of the servers that are not in the bin. */
  servers: ServerColumns
  /** A view of the servers in the bin. */
  deleted_servers: ServerColumns & { deleted_at: Date }
  /** The table itself, for what must include the bin: taken names and IDs, used images, history, and personal data. */
  all_servers: ServerColumns & {
    deleted_at: Generated<Date | null>
    /** When a restored server was deleted before. */
    last_deleted_at: Generated<Date | null>
  }
  credentials: {
    id: string
    server_id: string | null
    hash: Buffer
    hint: string
    issued_at: Generated<Date>
    grace_until: Generated<Date | null>
    revoked_at: Generated<Date | null>
  }
  credential_uses: {
    credential_id: string
    bound_address: string | null
    bound_at: Date | null
    last_used_at: Date | null
  }
  presence: {
    server_id: string
    online: boolean
    since: Date
    ended_by: Generated<string>
    last_announce_at: Date
    address: string
    credential_id: string | null
    announce: ColumnType<unknown, string, string>
    changed_at: Date
    /** A copy of the server's `created_at`, so that one index sorts administrators' lists of online and offline servers. */
    registered_at: Date
    /** -1 while offline. */
    players: GeneratedAlways<number>
  }
  presence_epoch: {
    singleton: Generated<boolean>
    id: string
  }
  announce_attempts: {
    id: Generated<string>
    server_id: string
    at: Date
    code: string
    detail: Generated<string>
    address: string
  }
  transfers: {
    id: string
    server_id: string
    from_user_id: string
    to_user_id: string
    created_at: Generated<Date>
    expires_at: Date
  }
  released_vanity_ids: {
    digest: Buffer
    released_by: string | null
    released_at: Generated<Date>
  }
  pinned_servers: {
    user_id: string
    server_id: string
    pinned_at: Generated<Date>
  }
  remembered_bans: {
    owner_id: string
    name_key: string
    bound_address: string | null
    ban_reason: string | null
    banned_at: Date
    banned_until: Date | null
  }
}
