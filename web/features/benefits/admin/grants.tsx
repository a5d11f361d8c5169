import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { BenefitOverview } from '#contract/benefits/benefit-settings.ts'
import { TIERS } from '#contract/benefits/benefits.ts'
import type { AdminUser } from '#contract/users/users-admin.ts'
import { m } from '#messages'
import { BenefitIcon } from '#web/features/benefits/benefit-icon.tsx'
import { inBenefitOrder, nextTier } from '#web/features/benefits/tiers.ts'
import { adminBenefitsOptions } from '#web/features/benefits/benefits.api.ts'
import { useUserMutation } from '#web/features/users/admin/user-mutation.ts'
import { call } from '#web/lib/http/call.ts'
import { messageOf } from '#web/lib/http/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/dialog/confirm-dialog.tsx'
import { ErrorNote, RetryNote } from '#web/ui/note.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { toastSuccess } from '#web/ui/toast.ts'

export function Grants({ user, isSelf }: { user: AdminUser; isSelf: boolean }) {
  const { data, error, refetch } = useQuery(adminBenefitsOptions(user.id))
  return (
    <section aria-labelledby="grants-title" className="card">
      <header className="flex items-baseline justify-between gap-3 px-5 py-4">
        <div>
          <h2 id="grants-title" className="font-medium">
            {m.nav_benefits()}
          </h2>
          <p className="mt-0.5 text-13 text-pretty text-ink-2">{m.benefits_tier_note()}</p>
        </div>
        {data && (
          <span className="shrink-0 text-13 text-ink-3 tabular-nums">
            {m.benefits_held_count({ count: data.filter(({ held }) => held).length, max: data.length })}
          </span>
        )}
      </header>
      <div className="border-t border-line">
        {data ? (
          <ul className="divide-y divide-line">
            {inBenefitOrder(data).map((benefit) => (
              <GrantRow key={benefit.key} benefit={benefit} user={user} isSelf={isSelf} />
            ))}
          </ul>
        ) : (
          <div className="space-y-5 p-5">
            {error ? <RetryNote onRetry={() => void refetch()}>{messageOf(error)}</RetryNote> : <SkeletonRows rows={10} />}
          </div>
        )}
      </div>
    </section>
  )
}

interface GrantRowProps {
  benefit: BenefitOverview
  user: AdminUser
  isSelf: boolean
}

function useGrant({ benefit: { key, granted }, user: { id }, isSelf }: GrantRowProps) {
  const navigate = useNavigate()
  // This page requires Admin.
  const leaves = key === 'ADMIN' && granted && isSelf
  return useUserMutation(
    (grant: boolean) => {
      const params = { id, key }
      return grant
        ? call('PUT /api/admin/users/{id}/benefits/{key}', { params })
        : call('DELETE /api/admin/users/{id}/benefits/{key}', { params })
    },
    leaves ? () => navigate({ to: '/benefits' }) : undefined,
  )
}

function GrantRow(props: GrantRowProps) {
  const { benefit, user, isSelf } = props
  const { key, name, held, granted, source, has_settings: hasSettings } = benefit
  const [isConfirming, setConfirming] = useState(false)
  const grant = useGrant(props)
  const error = grant.error ? messageOf(grant.error) : undefined
  const username = user.discord.username
  const toggle = useSingleFlight(async () => {
    await grant.mutateAsync(!granted)
    toastSuccess(granted ? m.benefits_revoke_done({ benefit: name }) : m.benefits_grant_done({ benefit: name }), username)
    setConfirming(false)
  })
  const close = () => {
    setConfirming(false)
    grant.reset()
  }
  return (
    <li className="px-5 py-3.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5">
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
          {(granted || source !== 'tier') && (
            <Button busy={grant.isPending} onClick={() => (key === 'ADMIN' ? setConfirming(true) : toggle())}>
              {grantLabel(granted, key === 'ADMIN')}
              <span className="sr-only"> {name}</span>
            </Button>
          )}
        </div>
      </div>
      {error !== undefined && !isConfirming && <ErrorNote className="mt-3">{error}</ErrorNote>}
      {isConfirming && (
        <ConfirmDialog
          {...adminConfirmation(username, granted, isSelf)}
          danger
          busy={grant.isPending}
          error={error}
          onConfirm={toggle}
          onClose={close}
        />
      )}
    </li>
  )
}

function grantLabel(granted: boolean, needsConfirmation: boolean): string {
  if (needsConfirmation) return granted ? m.benefits_revoke_ask() : m.benefits_grant_ask()
  return granted ? m.benefits_revoke() : m.benefits_grant()
}

function sourceText({ held, granted, source, tier }: BenefitOverview, user: AdminUser): string {
  if (source === 'tier' && user.active_tier !== null) {
    return (granted ? m.benefits_held_tier_granted : m.benefits_held_tier)({ tier: TIERS[user.active_tier].name })
  }
  if (held) return m.benefits_granted_user()
  if (tier === null) return m.benefits_not_held()
  return (nextTier(tier) === null ? m.benefits_not_held_highest : m.benefits_not_held_tier)({ tier: TIERS[tier].name })
}

/** Only Admin asks for confirmation, because it allows everything. */
function adminConfirmation(user: string, isGranted: boolean, isSelf: boolean) {
  if (!isGranted) {
    return {
      title: m.benefits_admin_grant_title({ user }),
      confirm: m.benefits_admin_confirm(),
      children: <p>{m.benefits_admin_grant_hint({ user })}</p>,
    }
  }
  const confirm = m.benefits_admin_revoke()
  if (isSelf) {
    const children = <p>{m.benefits_admin_revoke_own_hint()}</p>
    return { title: m.benefits_admin_revoke_own_title(), confirm, children }
  }
  return { title: m.benefits_admin_revoke_title({ user }), confirm, children: <p>{m.benefits_admin_revoke_hint({ user })}</p> }
}
