import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { FieldError } from '#web/ui/form/field-error.tsx'
import { isAdministered, type ShownServer } from '#web/features/servers/access.ts'
import type { ListingFormState } from './listing-form.tsx'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'

interface PromotionFieldProps {
  form: ListingFormState
  server: ShownServer
  /** As the form has it. */
  promoted: boolean
}

/** Whether this is the one server of its owner that stands above the others. */
export function PromotionField({ form: { register, formState }, server, promoted }: PromotionFieldProps) {
  const other = useOtherPromoted(server)
  const errorId = useId()
  const error = formState.errors.promoted?.message
  return (
    <div className="relative">
      <label className="flex cursor-pointer items-start gap-3">
        <input
          {...register('promoted')}
          type="checkbox"
          // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox says by itself whether it is on
          role="switch"
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={errorId}
          className="switch mt-0.5"
        />
        <span className="min-w-0">
          <span className="block text-13 font-medium">Promote this server</span>
          <span className="block text-13 [overflow-wrap:anywhere] text-ink-3">{noteOf(promoted, other)}</span>
        </span>
      </label>
      <FieldError id={errorId}>{error}</FieldError>
    </div>
  )
}

function noteOf(promoted: boolean, other: string | undefined): string {
  if (other === undefined) return 'It stands above the others on the list, with a mark. One server at a time.'
  return promoted ? `Moves from ${other}, which loses it.` : `${other} is promoted now. Only one server can be.`
}

/** The name of the owner's other server that is promoted now. */
function useOtherPromoted(server: ShownServer): string | undefined {
  const { public_id, user_id, owner } = server
  const { data: list } = useQuery(serverListOptions)
  const { data: user } = useQuery({ ...adminUserOptions(user_id), enabled: isAdministered(server) })
  const others = owner ? list?.management.filter((each) => each.user_id === user_id) : list?.owned
  const servers = isAdministered(server) ? user?.masterListTokens : others
  return servers?.find((each) => each.promoted && each.public_id !== public_id)?.name
}
