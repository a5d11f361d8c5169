import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ADDRESS_POLICIES, type AddressPolicy } from '#contract/servers/server-fields.ts'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { hasPermission, type ShownServer } from '#web/features/servers/access.ts'
import { useUpdateServer } from '#web/features/servers/server-mutations.ts'
import { policyName } from '#web/lib/code-names.ts'
import { messageOf } from '#web/lib/http/call.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Option } from '#web/ui/form/option.tsx'
import { ErrorNote } from '#web/ui/states.tsx'
import { toastUndo } from '#web/ui/toast.ts'

/** Saves a policy at once, and offers to undo it. */
export function useAddressPolicy(server: ShownServer) {
  const update = useUpdateServer(server)
  const { address_policy: previous } = server
  // At once, because a radio button that waits for its mutation flickers.
  const [saving, setSaving] = useState<AddressPolicy>()
  const change = async (policy: AddressPolicy) => {
    const saved = await update.mutateAsync({ body: { address_policy: policy }, ifMatch: server.version })
    toastUndo(m.servers_policy_saved(), policyName(policy), () =>
      update.mutateAsync({ body: { address_policy: previous }, ifMatch: saved.version }),
    )
  }
  const save = useSingleFlight((policy: AddressPolicy) => {
    setSaving(policy)
    return change(policy).finally(() => setSaving(undefined))
  })
  return { policy: saving ?? previous, save, error: update.error }
}

export function AddressPolicyChoice({ server }: { server: ShownServer }) {
  const { policy, save, error } = useAddressPolicy(server)
  // The route loader has fetched this.
  const { data: about } = useSuspenseQuery(aboutOptions)
  const hints = {
    bound: m.servers_policy_bound_hint(),
    follow: m.servers_policy_follow_hint({ seconds: about.announce_ttl_seconds }),
  }
  return (
    <fieldset disabled={!hasPermission(server, 'RESET_ADDRESS')} className="mt-4 min-w-0">
      <legend className="mb-1.5 text-13 text-ink-3">{m.servers_policy_title()}</legend>
      <div className="grid overflow-hidden rounded-6 border border-line max-sm:divide-y max-sm:divide-line sm:grid-cols-2 sm:divide-x sm:divide-line">
        {ADDRESS_POLICIES.map((each) => (
          <Option
            key={each}
            type="radio"
            name="address-policy"
            checked={policy === each}
            onChange={() => save(each)}
            title={<span className="text-13 font-medium">{policyName(each)}</span>}
            hint={hints[each]}
            className="has-checked:bg-surface-2"
          />
        ))}
      </div>
      {error && <ErrorNote className="mt-3">{messageOf(error)}</ErrorNote>}
    </fieldset>
  )
}
