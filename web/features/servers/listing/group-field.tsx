import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { serverField } from '#contract/servers/server-field-shapes.ts'
import { m } from '#messages'
import { limitText } from '#web/features/groups/limit-text.ts'
import { NewGroup } from '#web/features/groups/group-name.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { Button } from '#web/ui/button.tsx'
import { SelectField, useField } from '#web/ui/form/fields.tsx'
import type { ShownServer } from '#web/features/servers/access.ts'
import { useListing } from './listing-form.ts'

export function GroupField() {
  const { form, server, entitlement } = useListing()
  const { value, onChange } = useField(form, 'group_id')
  const { data: me } = useSuspenseQuery(meOptions)
  const [isCreating, setCreating] = useState(false)
  const field = useRef<HTMLDivElement>(null)
  const groups = entitlement?.groups ?? []
  const isOwn = server.owner === undefined
  const canCreate = isOwn && groups.length < me.max_masterlist_groups
  const close = () => {
    setCreating(false)
    field.current?.querySelector('select')?.focus()
  }
  return (
    <div ref={field}>
      <SelectField
        form={form}
        name="group_id"
        label={serverField('group_id').label()}
        optional
        isNullable
        hint={groupHint(server, groups.length, me.max_masterlist_groups)}
        after={canCreate && !isCreating && <Button onClick={() => setCreating(true)}>{m.servers_listing_group_new()}</Button>}
        className="w-auto! min-w-44 flex-1"
      >
        <option value="">{m.servers_listing_group_none()}</option>
        {groups.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        {value !== null && groups.every(({ id }) => id !== value) && <option value={value}>{m.servers_listing_group_deleted()}</option>}
      </SelectField>
      {isCreating && (
        <div className="mt-3 rounded-10 border border-line p-3">
          {/* The group is created at once. The server changes with Save. */}
          <NewGroup
            onCreated={({ id }) => {
              onChange(id)
              close()
            }}
            onCancel={close}
          />
        </div>
      )}
      {isOwn && groups.length > 0 && (
        <Link
          to="/benefits"
          hash="groups"
          className="mt-1 inline-flex min-h-6 items-center rounded-6 text-13 text-accent underline underline-offset-2"
        >
          {m.servers_listing_groups_link()}
        </Link>
      )}
    </div>
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
