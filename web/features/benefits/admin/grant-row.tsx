import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { BenefitOverview } from '#contract/benefit-settings.ts'
import { TIERS } from '#contract/benefits.ts'
import type { AdminUser } from '#contract/users-admin.ts'
import { BenefitIcon } from '#web/features/benefits/benefit-icon.tsx'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { AdminGrantDialog } from './admin-grant-dialog.tsx'
import { useGrantOf } from './change-user.ts'

interface GrantRowProps {
  benefit: BenefitOverview
  user: AdminUser
  isSelf: boolean
}

/** One benefit of somebody with what an administrator can do about it. */
export function GrantRow({ benefit, user, isSelf }: GrantRowProps) {
  const { key, name, held, granted, source, has_settings: hasSettings } = benefit
  const [isAsked, setAsked] = useState(false)
  const navigate = useNavigate()
  // Without it the page that stands here could not be read any more.
  const leaves = key === 'ADMIN' && granted && isSelf
  const grant = useGrantOf(user.id, key, leaves ? () => navigate({ to: '/benefits' }) : undefined)
  const person = user.discord.username
  const change = useSingly(async () => {
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
      {grant.error && !isAsked && <ErrorNote className="mt-3">{messageOf(grant.error)}</ErrorNote>}
      {isAsked && (
        <AdminGrantDialog
          person={person}
          takes={granted}
          isSelf={isSelf}
          busy={grant.isPending}
          error={grant.error ? messageOf(grant.error) : undefined}
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
