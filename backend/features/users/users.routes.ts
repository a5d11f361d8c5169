import { type BenefitKey, KEY_REFUSALS, benefitKeyOf } from '#contract/benefits.ts'
import * as users from '#contract/users.ts'
import * as admin from '#contract/users-admin.ts'
import type { AdminUser } from '#contract/users-admin.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Doors } from '#backend/app/services.ts'
import { invalid, notFound } from '#backend/platform/errors.ts'
import { openIssuesOfUsers } from '#backend/features/protection/open-issues.ts'
import { listServers } from '#backend/features/servers/servers.ts'
import { presentServers } from '#backend/features/servers/servers.present.ts'
import { tellBoth } from '#backend/features/transfers/both-sides.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { createLimit } from '#backend/platform/http/rate-limit.ts'
import { seenByAdmins } from './admin-users.present.ts'
import { banUser, changeLimits } from './administration.ts'
import { forceTier, grantBenefit, takeBenefit } from './granting.ts'
import { findByDiscordName, getPublicUser } from './public-users.ts'
import { tellBenefits } from './telling.ts'
import { getMe, userOf } from './users.ts'

export function bindUsers(bind: Bind, deps: Deps, doors: Pick<Doors, 'list' | 'tellList' | 'live'>): void {
  const { list, tellList, live } = doors
  const { db, env } = deps
  // So many look-ups that a person finds his friends, and so few that nobody copies the list of people.
  const searches = createLimit(deps, 'searches', { burst: 20, perSecond: 20 / 60 }, { burst: 200, perSecond: 200 / 86_400 })

  bind(users.me, ({ caller }) => getMe(db, caller.userId))

  bind(users.publicUser, ({ params }) => getPublicUser(db, params.id))

  bind(users.publicUserByName, ({ caller, params }) => {
    searches.take(caller.userId)
    return findByDiscordName(db, params.username)
  })

  const show = async (id: string): Promise<AdminUser> => ({
    ...(await getMe(db, id)),
    ...seenByAdmins(await userOf(db, id), (await openIssuesOfUsers(db, [id])).get(id)),
    masterListTokens: await presentServers(deps, list, await listServers(db, id)),
  })
  const userId = (params: { id: string }) => {
    if (!isUuid(params.id)) throw notFound('user')
    return params.id
  }

  bind(admin.adminUser, ({ params }) => show(userId(params)))

  bind(admin.banUser, async ({ caller, params, body }) => {
    const id = userId(params)
    const { ended, servers } = await banUser(db, caller.userId, id, body, env.ACCOUNT_DELETION_DELAY_HOURS)
    if (body.banned) live.end(id)
    else live.account([id], 'me')
    for (const one of ended) tellBoth(live, one)
    await tellList(...servers)
    return show(id)
  })

  bind(admin.changeLimits, async ({ caller, params, body }) => {
    const id = userId(params)
    await changeLimits(db, caller.userId, id, body)
    live.account([id], 'me', 'servers', 'activity')
    return show(id)
  })

  const benefit = (params: { key: string }): BenefitKey => {
    const key = benefitKeyOf(params.key)
    if (key === undefined) throw invalid(KEY_REFUSALS.unknown)
    return key
  }

  bind(admin.forceTier, async ({ caller, params, body }) => {
    const id = userId(params)
    const servers = await forceTier(db, caller.userId, id, body.tier_id)
    await tellBenefits(deps, doors, { userId: id, servers })
    return show(id)
  })

  bind(admin.grantBenefit, async ({ caller, params }) => {
    const [id, key] = [userId(params), benefit(params)]
    const servers = await grantBenefit(db, caller.userId, id, key)
    await tellBenefits(deps, doors, { userId: id, servers })
    return show(id)
  })

  bind(admin.takeBenefit, async ({ caller, params }) => {
    const [id, key] = [userId(params), benefit(params)]
    const servers = await takeBenefit(db, caller.userId, id, key)
    await tellBenefits(deps, doors, { userId: id, servers })
    return show(id)
  })
}
