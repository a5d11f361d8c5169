import { audit } from '#contract/audit.ts'
import { Lists } from '#backend/platform/database/paging.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { listOfAudit, presentAudit } from './audit.ts'

export function bindAudit(bind: Bind, deps: Pick<Deps, 'db' | 'clock'>): void {
  const lists = new Lists(deps)

  bind(audit, async ({ query }) => {
    const { ids, meta } = await lists.page(await listOfAudit(deps.db, query), query)
    return { data: await presentAudit(deps.db, ids), meta }
  })
}
