import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

export interface BenefitTables {
  images: {
    id: string
    owner_id: string
    purpose: string
    file: string
    width: number
    height: number
    mime: string
    bytes: number
    is_copy: Generated<boolean>
    created_at: Generated<Date>
  }
  file_deletions: {
    file: string
    scheduled_at: Generated<Date>
  }
  server_groups: {
    id: string
    owner_id: string
    name: string
    created_at: Generated<Date>
    version: GeneratedAlways<number>
  }
  benefit_settings: {
    user_id: string
    key: string
    for_all: Generated<boolean>
    image_id: Generated<string | null>
    name: Generated<string | null>
    primary_color: Generated<string | null>
    background_image_id: Generated<string | null>
    logo_image_id: Generated<string | null>
    ui_background_image_id: Generated<string | null>
    rss_url: Generated<string | null>
    ui_url: Generated<string | null>
    updated_at: Generated<Date>
    version: GeneratedAlways<number>
  }
  benefit_settings_servers: {
    user_id: string
    key: string
    server_id: string
  }
  cloud_auth_keys: {
    kid: string
    public_jwk: ColumnType<Record<string, unknown>, string, string>
    private_jwk: ColumnType<Record<string, unknown>, string, string>
    created_at: Generated<Date>
  }
  cloud_auth_secret: {
    singleton: Generated<boolean>
    secret: Buffer
  }
}
