import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { BenefitOverview } from '#contract/benefits/benefit-settings.ts'
import { TIERS } from '#contract/benefits/benefits.ts'
import type { AdminUser } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { BenefitIcon } from '#web/features/benefits/benefit-icon.tsx'
import { inBenefitOrder, nextTier } from '#web/features/benefits/tiers.ts'
import { adminBenefitsOptions } from '#web/features/benefits/benefits.api.ts'
import { useUserMutation } from '#web/features/users/admin/user-mutation.ts'
import { call, messageOf } from '#web/lib/http/call.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { CardCount, ListCard } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/dialog/confirm-dialog.tsx'
import { ErrorNote, QueryPending, SkeletonRows } from '#web/ui/states.tsx'
import { toastSuccess } from '#web/ui/toast.ts'

export function Grants({ user, isSelf }: { user: AdminUser; isSelf: boolean }) {
  const query = useQuery(adminBenefitsOptions(user.id))
  const { data } = query
  return (
    <ListCard
      title={m.nav_benefits()}
      description={m.benefits_tier_note()}
      aside={data && <CardCount>{m.benefits_held_count({ count: data.filter(({ held }) => held).length, max: data.length })}</CardCount>}
    >
      {data ? (
        <ul className="divide-y divide-line">
          {inBenefitOrder(data).map((benefit) => (
            <GrantRow key={benefit.key} benefit={benefit} user={user} isSelf={isSelf} />
          ))}
        </ul>
      ) : (
        <div className="space-y-5 p-5">
          <QueryPending query={query}>
            <SkeletonRows rows={10} />
          </QueryPending>
        </div>
      )}
    </ListCard>
  )
}

interface GrantRowProps {
  benefit: BenefitOverview
  user: AdminUser
  isSelf: boolean
}

function GrantRow(props: GrantRowProps) {
  const { benefit, user } = props
  const { key, name, held, granted, source, has_settings: hasSettings } = benefit
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-5 py-3.5">
      <div className="flex min-w-0 flex-1 basis-56 items-center gap-3">
        <BenefitIcon benefit={key} muted={!held} />
        <div className="min-w-0">
          <h3 className="font-medium">{name}</h3>
          <p className="text-13 text-pretty text-ink-3">{sourceText(benefit, user)}</p>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2 max-sm:pl-12">
        {held && hasSettings && (
          <Link
            to={`/admin/benefits/${key.toLowerCase()}/users/${user.id}` as string}
            aria-label={m.benefits_settings_of({ benefit: name })}
            className={buttonClass('secondary')}
          >
            {m.benefits_settings()}
          </Link>
        )}
        {(granted || source !== 'tier') && <GrantButton {...props} />}
      </div>
    </li>
  )
}

/** Only Admin asks for confirmation, because it allows everything. */
function GrantButton({ benefit: { key, name, granted }, user, isSelf }: GrantRowProps) {
  const navigate = useNavigate()
  const params = { id: user.id, key }
  const username = user.discord.username
  // This page requires Admin.
  const leaves = key === 'ADMIN' && granted && isSelf
  const grant = useUserMutation(
    () =>
      granted
        ? call('DELETE /api/admin/users/{id}/benefits/{key}', { params })
        : call('PUT /api/admin/users/{id}/benefits/{key}', { params }),
    leaves ? () => navigate({ to: '/benefits' }) : undefined,
  )
  const toggle = async () => {
    await grant.mutateAsync()
    toastSuccess(granted ? m.benefits_revoke_done({ benefit: name }) : m.benefits_grant_done({ benefit: name }), username)
  }
  const toggleOnce = useSingleFlight(toggle)
  const hidden = <span className="sr-only"> {name}</span>
  if (key === 'ADMIN') {
    const { title, confirm, hint } = adminTexts(username, granted, isSelf)
    return (
      <ConfirmButton
        trigger={
          <Button>
            {granted ? m.benefits_revoke_ask() : m.benefits_grant_ask()}
            {hidden}
          </Button>
        }
        title={title}
        confirm={confirm}
        danger
        mutation={grant}
        onConfirm={toggle}
      >
        <p>{hint}</p>
      </ConfirmButton>
    )
  }
  return (
    <>
      <Button busy={grant.isPending} onClick={toggleOnce}>
        {granted ? m.benefits_revoke() : m.benefits_grant()}
        {hidden}
      </Button>
      {grant.error && <ErrorNote>{messageOf(grant.error)}</ErrorNote>}
    </>
  )
}

function adminTexts(user: string, isGranted: boolean, isSelf: boolean) {
  if (!isGranted) {
    const title = m.benefits_admin_grant_title({ user })
    return { title, confirm: m.benefits_admin_confirm(), hint: m.benefits_admin_grant_hint({ user }) }
  }
  const confirm = m.benefits_admin_revoke()
  if (isSelf) return { title: m.benefits_admin_revoke_own_title(), confirm, hint: m.benefits_admin_revoke_own_hint() }
  return { title: m.benefits_admin_revoke_title({ user }), confirm, hint: m.benefits_admin_revoke_hint({ user }) }
}

function sourceText({ held, granted, source, tier }: BenefitOverview, user: AdminUser): string {
  if (source === 'tier' && user.active_tier !== null) {
    return (granted ? m.benefits_held_tier_granted : m.benefits_held_tier)({ tier: TIERS[user.active_tier].name })
  }
  if (held) return m.benefits_granted_user()
  if (tier === null) return m.benefits_not_held()
  return (nextTier(tier) === null ? m.benefits_not_held_highest : m.benefits_not_held_tier)({ tier: TIERS[tier].name })
}
