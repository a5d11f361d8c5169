/** What benefits unlock. */
import type { ColumnType } from 'kysely'
import type { Defaulted, DefaultedTime } from './columns.ts'

export interface Images {
  id: string
  owner_id: string
  purpose: string
  file: string
  width: number
  height: number
  mime: string
  bytes: number
  is_copy: Defaulted<boolean>
  created_at: DefaultedTime
}

export interface DoomedFiles {
  file: string
  since: DefaultedTime
}

export interface ServerGroups {
  id: string
  owner_id: string
  name: string
  created_at: DefaultedTime
}

export interface BenefitSettings {
  user_id: string
  key: string
  for_all: Defaulted<boolean>
  image_id: Defaulted<string | null>
  name: Defaulted<string | null>
  primary_color: Defaulted<string | null>
  background_image_id: Defaulted<string | null>
  logo_image_id: Defaulted<string | null>
  ui_background_image_id: Defaulted<string | null>
  rss_url: Defaulted<string | null>
  ui_url: Defaulted<string | null>
  updated_at: DefaultedTime
}

export interface BenefitSettingsServers {
  user_id: string
  key: string
  server_id: string
}

export interface CloudAuthKeys {
  kid: string
  public_jwk: ColumnType<Record<string, unknown>, string, string>
  private_jwk: ColumnType<Record<string, unknown>, string, string>
  created_at: DefaultedTime
}

export interface CloudAuthSecret {
  is_only: Defaulted<boolean>
  secret: Buffer
}
