import type { ColumnType, Generated } from 'kysely'

export interface NotificationTables {
  notifications: {
    id: string
    user_id: string
    type: string
    actor_id: string | null
    server_id: string | null
    server_name: string | null
    data: ColumnType<Record<string, unknown>, string | undefined, string>
    created_at: Generated<Date>
    read_at: Generated<Date | null>
  }
}
