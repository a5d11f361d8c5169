/** Users for administrators, with servers and numbers of open issues. */
import { type BenefitKey, benefitKeyOf } from '#contract/benefits/benefits.ts'
import * as admin from '#contract/users/users-admin.ts'
import type { Services } from '#backend/app/services.ts'
import { listIdentities } from '#backend/core/auth/identities.ts'
import { countOpenIssues } from '#backend/core/protection/issues.ts'
import { listServers } from '#backend/core/servers/servers.ts'
import { presentServers } from '#backend/core/servers/servers.present.ts'
import { adminUserList } from '#backend/core/users/admin-list.ts'
import { changeLimits, forceTier, grantBenefit, revokeBenefit } from '#backend/core/users/administration.ts'
import { changeUserBan } from '#backend/core/users/bans.ts'
import { presentAdminUserRows, getMe, presentAdminFields } from '#backend/core/users/users.present.ts'
import { parseUserId, getUser } from '#backend/core/users/users.ts'
import { readPage } from '#backend/platform/database/paging.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { invalid } from '#backend/platform/errors.ts'
import type { Bind } from '#backend/platform/http/bind.ts'

export function bindAdminUsers(bind: Bind, deps: Deps, { list }: Pick<Services, 'list'>): void {
  const { db, env } = deps

  const show = async (id: string): Promise<admin.AdminUser> => ({
    ...(await getMe(db, id)),
    ...presentAdminFields(await getUser(db, id), (await countOpenIssues(db, 'user_id', [id])).get(id)),
    identities: await listIdentities(db, env, id),
    masterListTokens: await presentServers(deps, list, await listServers(db, id)),
  })

  bind(admin.adminUsers, async ({ query }) => {
    const { ids, meta } = await readPage(db, adminUserList(query), query)
    return { data: await presentAdminUserRows(db, ids, await countOpenIssues(db, 'user_id', ids)), meta }
  })

  bind(admin.adminUser, ({ params }) => show(parseUserId(params)))

  /** Runs an action on the user of the route and returns the updated user. */
  const actOn = async (params: { readonly id: string }, act: (userId: string) => Promise<void>): Promise<admin.AdminUser> => {
    const id = parseUserId(params)
    await act(id)
    return show(id)
  }

  bind(admin.banUser, ({ caller, params, body: { banReason: reason, ...body } }) =>
    actOn(params, (id) => changeUserBan(db, caller.userId, id, { ...body, reason }, env.ACCOUNT_DELETION_DELAY_HOURS)),
  )

  bind(admin.changeLimits, ({ caller, params, body }) => actOn(params, (id) => changeLimits(db, caller.userId, id, body)))

  bind(admin.forceTier, ({ caller, params, body }) => actOn(params, (id) => forceTier(db, caller.userId, id, body.tier_id)))

  bind(admin.grantBenefit, ({ caller, params }) => actOn(params, (id) => grantBenefit(db, caller.userId, id, benefitOf(params))))

  bind(admin.takeBenefit, ({ caller, params }) => actOn(params, (id) => revokeBenefit(db, caller.userId, id, benefitOf(params))))
}

function benefitOf(params: { readonly key: string }): BenefitKey {
  const key = benefitKeyOf(params.key)
  if (key === undefined) throw invalid('BENEFIT_KEY_UNKNOWN')
  return key
}
