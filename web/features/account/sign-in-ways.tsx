/** The ways to sign in to the account: linking and unlinking them. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { Link2, Unlink } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SignInProvider } from '#contract/users/auth.ts'
import type { Identity } from '#contract/users/identities.ts'
import { m } from '#messages'
import { DISCORD } from '#web/features/session/providers.api.ts'
import { meOptions } from '#web/features/session/session.api.ts'
import { call, detailsOf, messageOf } from '#web/lib/http/call.ts'
import { storeLinking } from '#web/lib/url/next-path.ts'
import { useTimeZone } from '#web/lib/time.ts'
import { Button } from '#web/ui/button.tsx'
import { ListCard } from '#web/ui/card.tsx'
import { ConfirmButton } from '#web/ui/dialog/confirm-dialog.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import { toastError, toastSuccess } from '#web/ui/toast.ts'

export const identitiesOptions = queryOptions({
  queryKey: ['identities'],
  queryFn: ({ signal }) => call('GET /api/users/identities', { signal }),
})

interface SignInWaysProps {
  identities: readonly Identity[]
  providers: readonly SignInProvider[]
}

/** Nothing if there is no choice: the only provider is linked. */
export function SignInWays({ identities, providers }: SignInWaysProps) {
  const linkable = providers.filter(({ id }) => !identities.some(({ provider }) => provider === id))
  const usable = identities.filter(({ provider }) => provider !== null).length
  if (identities.length + linkable.length < 2) return null
  return (
    <ListCard title={m.sign_in_ways_title()} description={m.sign_in_ways_hint()}>
      <ul className="divide-y divide-line">
        {identities.map((identity) => (
          <LinkedWay key={identity.id} identity={identity} isLast={identity.provider !== null && usable === 1} />
        ))}
        {linkable.map((provider) => (
          <Way key={provider.id} title={provider.label} details={m.sign_in_ways_none()} action={<LinkButton provider={provider} />} />
        ))}
      </ul>
    </ListCard>
  )
}

function Way({ title, details, action }: { title: string; details: ReactNode; action: ReactNode }) {
  return (
    <li className="flex flex-col gap-3 px-5 py-4 sm:flex-row sm:items-center sm:justify-between sm:gap-5">
      <div className="min-w-0">
        <p className="font-medium [overflow-wrap:anywhere]">{title}</p>
        <p className="mt-0.5 flex min-w-0 flex-wrap gap-x-2 text-13 [overflow-wrap:anywhere] text-ink-2">{details}</p>
      </div>
      {action}
    </li>
  )
}

function LinkedWay({ identity, isLast }: { identity: Identity; isLast: boolean }) {
  const { provider, label, name, last_signed_in_at: lastUse } = identity
  useTimeZone()
  const details = (
    <>
      <span className="min-w-0">{name}</span>
      {provider === null && <span className="text-warn">{m.sign_in_ways_gone()}</span>}
      {lastUse !== null && (
        <span className="text-ink-3">
          <RichText message={m.sign_in_ways_last_used} tags={{ time: () => <TimeAgo at={lastUse} /> }} />
        </span>
      )}
    </>
  )
  const action = isLast ? <p className="text-13 text-ink-3">{m.sign_in_ways_only()}</p> : <UnlinkButton identity={identity} />
  return <Way title={label} details={details} action={action} />
}

/** Leaves the panel for the provider, which returns to this page. */
function LinkButton({ provider: { id, label } }: { provider: SignInProvider }) {
  const link = useMutation({
    mutationFn: () => call('POST /api/users/identities', { body: { provider: id } }),
    onSuccess: (url) => {
      storeLinking('/settings/profile')
      location.assign(url)
    },
    onError: (error) => toastError(m.sign_in_ways_link_failed({ provider: label }), messageOf(error), detailsOf(error)),
  })
  return (
    <Button
      className="shrink-0 max-sm:w-full"
      icon={<Link2 size={15} aria-hidden="true" />}
      busy={link.isPending || link.isSuccess}
      aria-label={m.sign_in_ways_link_named({ provider: label })}
      onClick={() => link.mutate()}
    >
      {m.sign_in_ways_link()}
    </Button>
  )
}

function UnlinkButton({ identity: { id, provider, label } }: { identity: Identity }) {
  const client = useQueryClient()
  const unlink = useMutation({
    mutationFn: () => call('DELETE /api/users/identities/{id}', { params: { id } }),
    onSuccess: async () => {
      toastSuccess(m.sign_in_ways_unlinked({ provider: label }))
      await Promise.all([identitiesOptions, meOptions].map(({ queryKey }) => client.invalidateQueries({ queryKey })))
    },
  })
  return (
    <ConfirmButton
      trigger={
        <Button
          className="shrink-0 max-sm:w-full"
          icon={<Unlink size={15} aria-hidden="true" />}
          aria-label={m.sign_in_ways_unlink_named({ provider: label })}
        >
          {m.sign_in_ways_unlink_ask()}
        </Button>
      }
      title={m.sign_in_ways_unlink_title({ provider: label })}
      confirm={m.sign_in_ways_unlink()}
      danger
      mutation={unlink}
      onConfirm={() => unlink.mutateAsync()}
    >
      <p>{m.sign_in_ways_unlink_hint({ provider: label })}</p>
      {provider === DISCORD && <p>{m.sign_in_ways_unlink_discord()}</p>}
    </ConfirmButton>
  )
}
