/** People as administrators see them: with their servers and how many issues are open. */
import { type BenefitKey, KEY_REFUSALS, benefitKeyOf } from '#contract/benefits.ts'
import * as admin from '#contract/users-admin.ts'
import type { Services } from '#backend/app/services.ts'
import { countOpenIssues } from '#backend/features/protection/issues.ts'
import { listServers } from '#backend/features/servers/servers.ts'
import { presentServers } from '#backend/features/servers/servers.present.ts'
import { listOfUsers } from '#backend/features/users/admin-list.ts'
import { adminUserRows } from '#backend/features/users/admin-list.present.ts'
import { seenByAdmins } from '#backend/features/users/admin-users.present.ts'
import { banUser, changeLimits } from '#backend/features/users/administration.ts'
import { forceTier, grantBenefit, takeBenefit } from '#backend/features/users/granting.ts'
import { getMe, userOf } from '#backend/features/users/users.ts'
import { Lists } from '#backend/platform/database/paging.ts'
import { isUuid } from '#backend/platform/database/uuid.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { invalid, notFound } from '#backend/platform/errors.ts'
import type { Bind } from '#backend/platform/http/bind.ts'

export function bindAdminUsers(bind: Bind, deps: Deps, { list }: Pick<Services, 'list'>): void {
  const { db, env } = deps
  const lists = new Lists(deps)

  const show = async (id: string): Promise<admin.AdminUser> => ({
    ...(await getMe(db, id)),
    ...seenByAdmins(await userOf(db, id), (await countOpenIssues(db, 'user_id', [id])).get(id)),
    masterListTokens: await presentServers(deps, list, await listServers(db, id)),
  })

  bind(admin.adminUsers, async ({ query }) => {
    const { ids, meta } = await lists.page(listOfUsers(query), query)
    return { data: await adminUserRows(db, ids, await countOpenIssues(db, 'user_id', ids)), meta }
  })

  bind(admin.adminUser, ({ params }) => show(userIdOf(params)))

  bind(admin.banUser, async ({ caller, params, body }) => {
    const id = userIdOf(params)
    await banUser(db, caller.userId, id, body, env.ACCOUNT_DELETION_DELAY_HOURS)
    return show(id)
  })

  bind(admin.changeLimits, async ({ caller, params, body }) => {
    const id = userIdOf(params)
    await changeLimits(db, caller.userId, id, body)
    return show(id)
  })

  bind(admin.forceTier, async ({ caller, params, body }) => {
    const id = userIdOf(params)
    await forceTier(db, caller.userId, id, body.tier_id)
    return show(id)
  })

  bind(admin.grantBenefit, async ({ caller, params }) => {
    const [id, key] = [userIdOf(params), benefitOf(params)]
    await grantBenefit(db, caller.userId, id, key)
    return show(id)
  })

  bind(admin.takeBenefit, async ({ caller, params }) => {
    const [id, key] = [userIdOf(params), benefitOf(params)]
    await takeBenefit(db, caller.userId, id, key)
    return show(id)
  })
}

function userIdOf({ id }: { readonly id: string }): string {
  if (!isUuid(id)) throw notFound('user')
  return id
}

function benefitOf(params: { readonly key: string }): BenefitKey {
  const key = benefitKeyOf(params.key)
  if (key === undefined) throw invalid(KEY_REFUSALS.unknown)
  return key
}
