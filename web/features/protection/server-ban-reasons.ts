/** Suggested reasons for a ban of a server. */
import { m } from '#messages'
import type { BanReasons } from '#web/ui/dialog/ban-form.tsx'

export const SERVER_BAN_REASONS: BanReasons = [
  [m.servers_admin_ban_reason_name(), m.servers_admin_ban_reason_name_text()],
  [m.common_ban_reason_players(), m.servers_admin_ban_reason_players_text()],
  [m.servers_admin_ban_reason_offensive(), m.servers_admin_ban_reason_offensive_text()],
  [m.servers_admin_ban_reason_harm(), m.servers_admin_ban_reason_harm_text()],
]
