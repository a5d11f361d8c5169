/** The control of each kind of server field. */
import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import type { z } from 'zod'
import { Link } from '@tanstack/react-router'
import { type ServerFieldName, serverField } from '#contract/servers/server-field-shapes.ts'
import { type Control, LIMITS } from '#contract/servers/server-fields.ts'
import { MAX_RELEASED_VANITY_IDS, VanityUrl } from '#contract/servers/vanity-id.ts'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { ImageField } from '#web/features/images/image-field.tsx'
import { isAdminServer, type ShownServer } from '#web/features/servers/access.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { Field, NumberField, SelectField, SwitchField, TextField, useField } from '#web/ui/form/fields.tsx'
import { TagsInput } from '#web/ui/form/tags-input.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { limitText } from '#web/features/groups/limit-text.ts'
import { NewGroup } from '#web/features/groups/group-name.tsx'
import { meOptions } from '#web/features/session/session.api.ts'
import { Button } from '#web/ui/button.tsx'
import { ChoiceField, LanguageField, RegionField } from './choice-fields.tsx'
import { useListing } from './listing-form.tsx'

/** The texts of a field beside the label of its row. */
const TEXTS: Readonly<Partial<Record<ServerFieldName, { label?: () => string; hint?: () => string; placeholder?: () => string }>>> = {
  game_mode: { placeholder: m.servers_listing_game_mode_placeholder },
  region: { hint: m.servers_listing_region_hint },
  tags: { hint: m.servers_listing_tags_hint, placeholder: m.servers_listing_tags_placeholder },
  visible: { label: m.servers_listing_visible, hint: m.servers_listing_visible_hint },
  promoted: { label: m.servers_listing_promote },
}

interface ServerFieldControlProps {
  name: ServerFieldName
  /** Receives text in the tags field that is not a tag yet. */
  onPendingTag?: (text: string) => void
}

export function ServerFieldControl({ name, onPendingTag }: ServerFieldControlProps) {
  const Control = CONTROLS[serverField(name).control]
  return <Control field={useServerField(name)} placeholder={TEXTS[name]?.placeholder?.()} onPendingTag={onPendingTag} />
}

function useServerField(name: ServerFieldName) {
  const { label, initial } = serverField(name)
  const { label: ownLabel = label, hint } = TEXTS[name] ?? {}
  return { form: useListing().form, name, label: ownLabel(), hint: hint?.(), optional: initial === '' }
}

interface ControlProps {
  field: ReturnType<typeof useServerField>
  placeholder: string | undefined
  onPendingTag: ServerFieldControlProps['onPendingTag']
}

const CONTROLS: Readonly<Record<Control, (props: ControlProps) => ReactNode>> = {
  line: Text,
  lines: (props) => <Text {...props} rows={4} />,
  number: Whole,
  language: ({ field }) => <LanguageField {...field} />,
  region: ({ field }) => <RegionField {...field} />,
  tags: Tags,
  url: ({ field }) => <TextField {...field} type="url" inputMode="url" autoComplete="url" placeholder="example.com" />,
  switch: Switch,
  image: ({ field }) => <ImageField {...field} purpose="SERVER_ICON" />,
  group: GroupField,
  vanity_id: VanityId,
  choice: ({ field }) => <ChoiceField {...field} />,
}

const maxOf = (name: ServerFieldName) => (LIMITS as Readonly<Record<string, { readonly max?: number }>>)[name]?.max

function Text({ field, placeholder, rows }: ControlProps & { rows?: number }) {
  return <TextField {...field} max={maxOf(field.name)} placeholder={placeholder} {...(rows && { rows })} />
}

function Whole({ field }: ControlProps) {
  const { minValue, maxValue } = serverField(field.name).input as z.ZodNumber
  return <NumberField {...field} min={minValue ?? undefined} max={maxValue ?? undefined} />
}

function Tags({ field: { form, name, label, hint }, placeholder, onPendingTag }: ControlProps) {
  const { value, error, onChange, onBlur } = useField(form, name)
  const tags = value as string[]
  return (
    <Field label={label} hint={hint} optional error={error} aside={`${tags.length} / ${LIMITS.tags.count}`}>
      {(control) => (
        <TagsInput
          {...control}
          // Discarding the changes also clears text that is not a tag yet.
          key={form.discards}
          {...{ value: tags, onChange, onBlur }}
          onPendingText={onPendingTag}
          max={LIMITS.tags.count}
          maxLength={LIMITS.tags.length}
          placeholder={placeholder}
        />
      )}
    </Field>
  )
}

function Switch({ field }: ControlProps) {
  const promotionHint = usePromotionHint()
  return <SwitchField {...field} hint={field.name === 'promoted' ? promotionHint : field.hint} />
}

/** An owner can promote one server. */
function usePromotionHint(): string {
  const { form, server } = useListing()
  const { public_id, user_id, owner } = server
  const { data: list } = useQuery(serverListOptions)
  const { data: user } = useQuery({ ...adminUserOptions(user_id), enabled: isAdminServer(server) })
  const ofOwner = owner ? list?.management.filter((each) => each.user_id === user_id) : list?.owned
  const servers = isAdminServer(server) ? user?.masterListTokens : ofOwner
  const other = servers?.find((each) => each.promoted && each.public_id !== public_id)?.name
  if (other === undefined) return m.servers_listing_promote_hint()
  return form.values.promoted ? m.servers_listing_promote_moves({ other }) : m.servers_listing_promote_other({ other })
}

/** Lower case, without a leading @. Null if empty. */
const normalizeVanity = (text: string) => text.trim().replace(/^@+/, '').toLowerCase() || null

function VanityId({ field }: ControlProps) {
  const { form, server } = useListing()
  const { value: id, error } = useField(form, 'vanity_url')
  const { min, max } = LIMITS.vanity_url
  return (
    <div>
      <TextField
        {...field}
        optional
        hint={m.servers_listing_vanity_hint({ min, max })}
        max={max}
        normalize={normalizeVanity}
        before={
          <span aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-ink-3">
            @
          </span>
        }
        autoCapitalize="none"
        spellCheck={false}
        placeholder={m.servers_listing_vanity_placeholder()}
        className="pl-7!"
      />
      {error === undefined && VanityUrl.safeParse(id).success && <VanityPreview id={id} />}
      {server.vanity_url !== null && id !== server.vanity_url && (
        <p className="mt-1 text-13 text-ink-2">
          {m.servers_listing_vanity_reserved({ id: server.vanity_url, count: MAX_RELEASED_VANITY_IDS })}
        </p>
      )}
    </div>
  )
}

function VanityPreview({ id }: { id: string | null }) {
  const { data: about } = useSuspenseQuery(aboutOptions)
  const code = (text: string) => <span className="font-mono [overflow-wrap:anywhere] text-ink-1">{text}</span>
  return (
    <p data-vanity-preview className="mt-1 text-13 text-ink-2">
      <RichText
        message={m.servers_listing_vanity_preview}
        tags={{ id: () => code(`@${id}`), url: () => code(`${about.masterlist_url}/servers/${id}`) }}
      />
    </p>
  )
}

function GroupField() {
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
