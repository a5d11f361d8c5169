import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { Controller } from 'react-hook-form'
import { m } from '#messages'
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
  const [isCreating, setCreating] = useState(false)
  const select = useRef<HTMLSelectElement>(null)
  const isOwn = server.owner === undefined
  const canCreate = isOwn && groups.length < me.max_masterlist_groups
  const hint = groupHint(server, groups.length, me.max_masterlist_groups)
  const close = () => {
    setCreating(false)
    select.current?.focus()
  }
  return (
    <Controller
      control={form.control}
      name="group_id"
      render={({ field }) => (
        <div>
          <Field label={m.servers_listing_group()} optional hint={hint} error={form.formState.errors.group_id?.message}>
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
                  <GroupOptions groups={groups} selected={field.value} />
                </select>
                {canCreate && !isCreating && <Button onClick={() => setCreating(true)}>{m.servers_listing_group_new()}</Button>}
              </div>
            )}
          </Field>
          {isCreating && (
            <div className="mt-3 rounded-10 border border-line p-3">
              {/* The group is created at once. The server changes with Save. */}
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

function GroupOptions({ groups, selected }: { groups: Entitlement['groups']; selected: string | null }) {
  return (
    <>
      <option value="">{m.servers_listing_group_none()}</option>
      {groups.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
      {selected !== null && groups.every(({ id }) => id !== selected) && (
        <option value={selected}>{m.servers_listing_group_deleted()}</option>
      )}
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
      {m.servers_listing_groups_link()}
    </Link>
  )
}

function groupHint({ owner }: ShownServer, count: number, max: number): string {
  if (owner) {
    const inputs = { owner: owner.discord.username }
    return count === 0 ? m.servers_listing_group_hint_owner_none(inputs) : m.servers_listing_group_hint_owner(inputs)
  }
  const hint = m.servers_listing_group_hint()
  return count >= max ? `${hint} ${limitText(max, count)}` : hint
}
