import * as reports from '#contract/protection/reports.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { getAnyIssue } from '#backend/core/protection/issues.ts'
import { reportServer } from './reports.ts'
import { presentReports } from './reports.present.ts'

/** @param findPublic the public ID of a server that has a public page, by its public or vanity ID. */
export function bindReports(bind: Bind, { db, clock, env }: Deps, findPublic: (id: string) => string | undefined): void {
  bind(reports.ofIssue, async ({ params }) => presentReports(db, await getAnyIssue(db, params.id)))
  if (!env.PUBLIC_SITE || env.PROTECTION_OFF.includes('PLAYER_REPORTS')) return
  bind(reports.report, async ({ caller, params, body }) => {
    const now = new Date(clock.now())
    const nextAt = await reportServer(db, caller.userId, findPublic(params.id), body, now)
    return { reported_at: now.toISOString(), next_at: nextAt.toISOString() }
  })
}
