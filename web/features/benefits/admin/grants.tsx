import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { BenefitOverview } from '#contract/benefit-settings.ts'
import { TIERS } from '#contract/benefits.ts'
import type { AdminUser } from '#contract/users-admin.ts'
import { BenefitIcon } from '#web/features/benefits/benefit-icon.tsx'
import { inBenefitOrder } from '#web/features/benefits/tiers.ts'
import { adminBenefitsOptions } from '#web/features/benefits/benefits.api.ts'
import { useUserChange } from '#web/features/users/admin/keep-user.ts'
import { call } from '#web/lib/call.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { ErrorNote, RetryNote } from '#web/ui/note.tsx'
import { SkeletonRows } from '#web/ui/skeleton.tsx'
import { toastSuccess } from '#web/ui/toast.ts'

export function Grants({ user, isSelf }: { user: AdminUser; isSelf: boolean }) {
  const { data, error, refetch } = useQuery(adminBenefitsOptions(user.id))
  return (
    <section aria-labelledby="grants-title" className="card">
      <header className="flex items-baseline justify-between gap-3 px-5 py-4">
        <h2 id="grants-title" className="font-medium">
          Benefits
        </h2>
        {data && (
          <span className="text-13 text-ink-3 tabular-nums">
            {data.filter(({ held }) => held).length} of {data.length} held
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
  // Without it the page that stands here could not be read any more.
  const leaves = key === 'ADMIN' && granted && isSelf
  return useUserChange(
    (grants: boolean) => {
      const params = { id, key }
      return grants
        ? call('PUT /api/admin/users/{id}/benefits/{key}', { params })
        : call('DELETE /api/admin/users/{id}/benefits/{key}', { params })
    },
    leaves ? () => navigate({ to: '/benefits' }) : undefined,
  )
}

function GrantRow(props: GrantRowProps) {
  const { benefit, user, isSelf } = props
  const { key, name, held, granted, source, has_settings: hasSettings } = benefit
  const [isAsked, setAsked] = useState(false)
  const grant = useGrant(props)
  const error = grant.error ? messageOf(grant.error) : undefined
  const person = user.discord.username
  const change = useSingleFlight(async () => {
    await grant.mutateAsync(!granted)
    toastSuccess(granted ? `${name} taken back` : `${name} granted`, person)
    setAsked(false)
  })
  const close = () => {
    setAsked(false)
    grant.reset()
  }
  return (
    <li className="px-5 py-3.5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2.5">
        <div className="flex min-w-0 flex-1 basis-56 items-center gap-3">
          <BenefitIcon benefit={key} muted={!held} />
          <div className="min-w-0">
            <h3 className="font-medium">{name}</h3>
            <p className="text-13 text-pretty text-ink-3">{sourceOf(benefit, user)}</p>
          </div>
        </div>
        <div className="flex flex-wrap items-center gap-2 max-sm:pl-12">
          {held && hasSettings && (
            <Link to={`/admin/benefits/${key.toLowerCase()}/users/${user.id}` as string} className={buttonClass('secondary')}>
              Settings<span className="sr-only"> of {name}</span>
            </Link>
          )}
          {(granted || source !== 'tier') && (
            <Button busy={grant.isPending} onClick={() => (key === 'ADMIN' ? setAsked(true) : change())}>
              {granted ? 'Take back' : 'Grant'}
              {key === 'ADMIN' && '…'}
              <span className="sr-only"> {name}</span>
            </Button>
          )}
        </div>
      </div>
      {error !== undefined && !isAsked && <ErrorNote className="mt-3">{error}</ErrorNote>}
      {isAsked && (
        <ConfirmDialog
          {...adminQuestion(person, granted, isSelf)}
          danger
          busy={grant.isPending}
          error={error}
          onConfirm={change}
          onClose={close}
        />
      )}
    </li>
  )
}

function sourceOf({ held, granted, source, tier }: BenefitOverview, user: AdminUser): string {
  if (source === 'tier' && user.active_tier !== null) {
    const from = `Comes with the tier ${TIERS[user.active_tier].name}`
    return granted ? `${from}. Also granted, so it stays without the tier.` : `${from}, so it can’t be taken back here.`
  }
  if (held) return 'Granted to this user.'
  return tier === null ? 'Not held. No tier has it.' : `Not held. From ${TIERS[tier].name} on.`
}

/** Only Admin asks first: its holder may do everything. */
function adminQuestion(person: string, takes: boolean, isSelf: boolean) {
  if (!takes) {
    return {
      title: `Make ${person} an administrator?`,
      confirm: 'Grant Admin',
      children: (
        <p>
          {person} can then read and change the servers, limits, tiers and benefits of everybody, ban people, and take Admin from others,
          from you too. It holds until an administrator takes it back.
        </p>
      ),
    }
  }
  const confirm = 'Take Admin back'
  if (isSelf) {
    const children = <p>You leave the admin area at once. Only another administrator can give it back to you.</p>
    return { title: 'Give up being an administrator?', confirm, children }
  }
  const children = (
    <p>
      {person} leaves the admin area at once. What {person} changed there stays.
    </p>
  )
  return { title: `Take Admin from ${person}?`, confirm, children }
}
