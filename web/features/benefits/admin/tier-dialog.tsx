import { useQuery } from '@tanstack/react-query'
import { BENEFITS, type BenefitKey, type TierId, TIERS } from '#contract/benefits.ts'
import type { AdminUser } from '#contract/users-admin.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { adminBenefitsOptions } from './admin-benefits.api.ts'
import { type LimitChange, tierChanges } from './tier-changes.ts'

interface TierDialogProps {
  user: AdminUser
  /** Null is his own. */
  tier: TierId | null
  busy: boolean
  error: string | undefined
  onConfirm: () => void
  onClose: () => void
}

/** Asks before a tier is forced, or not forced any more, and names what that changes. */
export function TierDialog({ user, tier, ...rest }: TierDialogProps) {
  const { data: overview, error: unread } = useQuery(adminBenefitsOptions(user.id))
  const granted = (overview ?? []).filter((each) => each.granted).map(({ key }) => key)
  const name = user.discord.username
  const { gained, lost, limits } = tierChanges(user, granted, tier)
  const own = user.owned_tier === null ? 'no tier' : TIERS[user.owned_tier].name
  const title = tier === null ? `Stop forcing a tier on ${name}?` : `Force ${TIERS[tier].name} on ${name}?`
  return (
    <ConfirmDialog title={title} confirm={tier === null ? 'Stop forcing' : `Force ${TIERS[tier].name}`} danger={lost.length > 0} {...rest}>
      <p>
        {tier === null
          ? `What ${name} supports with counts again: ${own}.`
          : `It counts until an administrator stops it, whatever ${name} supports with (now ${own}). ${name} sees that an administrator set it.`}
      </p>
      <ul className="list-disc space-y-1 pl-5">
        {overview === undefined && (
          <li>
            {unread
              ? 'What is granted besides could not be read: of what is named here, that stays.'
              : 'Looking up what is granted besides…'}
          </li>
        )}
        {gained.length > 0 && <li>Gains {named(gained)}.</li>}
        {lost.length > 0 && <li>Loses {named(lost)}. What was set up with it is kept, hidden from players.</li>}
        {limits.map((limit) => (
          <li key={limit.of}>{limitText(limit)}</li>
        ))}
        {gained.length + lost.length + limits.length === 0 && <li>No benefit and no limit changes.</li>}
      </ul>
    </ConfirmDialog>
  )
}

const list = new Intl.ListFormat('en')

function named(keys: readonly BenefitKey[]): string {
  return list.format(keys.map((key) => BENEFITS[key].name))
}

function limitText({ of, from, to, over }: LimitChange): string {
  const change = `May have ${to} ${to === 1 ? of.slice(0, -1) : of} instead of ${from}`
  return over === undefined ? `${change}.` : `${change}: all ${over} stay, and no more can be added.`
}
