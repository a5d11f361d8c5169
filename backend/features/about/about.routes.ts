import * as about from '#contract/about.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { VERSION } from '#backend/platform/version.ts'

export function bindAbout(bind: Bind, { env }: Deps, list: Pick<RunningMasterList, 'counts'>): void {
  bind(about.about, ({ request }) => {
    const { servers, players } = list.counts()
    return {
      version: VERSION,
      masterlist_url: env.MASTERLIST_PUBLIC_URL ?? `http://${request.hostname}:${env.MASTERLIST_PORT}`,
      local_identity: env.usesLocalIdentity,
      ban_appeal_email: env.BAN_APPEAL_EMAIL,
      account_deletion_delay_hours: env.ACCOUNT_DELETION_DELAY_HOURS,
      announce_ttl_seconds: env.ANNOUNCE_TTL_SECONDS,
      servers_online: servers,
      players_online: players,
    }
  })
}
