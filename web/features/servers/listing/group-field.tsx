import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { Controller } from 'react-hook-form'
import { limitText } from '#web/features/groups/limit-text.ts'
import { NewGroup } from '#web/features/groups/group-name.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import type { ShownServer } from '#web/features/servers/access.ts'
import type { Entitlement } from './entitlement.ts'
import { useListing } from './listing-input.ts'

export function GroupField({ groups }: Pick<Entitlement, 'groups'>) {
  const { form, server } = useListing()
  const { data: me } = useSuspenseQuery(meOptions)
  const [making, setMaking] = useState(false)
  const select = useRef<HTMLSelectElement>(null)
  const isOwn = server.owner === undefined
  const max = me.max_masterlist_groups
  const close = () => {
    setMaking(false)
    select.current?.focus()
  }
  return (
    <Controller
      control={form.control}
      name="group_id"
      render={({ field }) => (
        <div>
          <Field label="Group" optional hint={hintOf(server, groups.length, max)} error={form.formState.errors.group_id?.message}>
            {(props) => (
              <div className="flex flex-wrap gap-2">
                <select
                  {...props}
                  ref={(element) => {
                    select.current = element
                    field.ref(element)
                  }}
                  value={field.value ?? ''}
                  onChange={({ target }) => field.onChange(target.value || null)}
                  onBlur={field.onBlur}
                  className="field-input w-auto! min-w-44 flex-1"
                >
                  <GroupOptions groups={groups} chosen={field.value} />
                </select>
                {isOwn && groups.length < max && !making && <Button onClick={() => setMaking(true)}>New group…</Button>}
              </div>
            )}
          </Field>
          {making && (
            <div className="mt-3 rounded-10 border border-line p-3">
              {/* It is made at once; the server itself waits for Save. */}
              <NewGroup
                onCreated={({ id }) => {
                  field.onChange(id)
                  close()
                }}
                onCancel={close}
              />
            </div>
          )}
          {isOwn && groups.length > 0 && <GroupsLink />}
        </div>
      )}
    />
  )
}

function GroupOptions({ groups, chosen }: { groups: Entitlement['groups']; chosen: string | null }) {
  return (
    <>
      <option value="">No group</option>
      {groups.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {chosen !== null && groups.every(({ id }) => id !== chosen) && <option value={chosen}>A deleted group</option>}
    </>
  )
}

function GroupsLink() {
  return (
    <Link
      to="/benefits"
      hash="groups"
      className="mt-1 inline-flex min-h-6 items-center rounded-6 text-13 text-accent underline underline-offset-2"
    >
      Rename or delete groups
    </Link>
  )
}

function hintOf({ owner }: ShownServer, count: number, max: number): string {
  if (owner) return count === 0 ? `${owner.discord.username} has no group yet.` : `The groups are ${owner.discord.username}’s.`
  const together = 'Servers of a group stand together on the list.'
  return count >= max ? `${together} ${limitText(max, count)}` : together
}
