/** The control of each kind of server field. */
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import type { z } from 'zod'
import { type ServerFieldName, serverField } from '#contract/servers/server-field-shapes.ts'
import { type Control, LIMITS } from '#contract/servers/server-fields.ts'
import { m } from '#messages'
import { ImageField } from '#web/features/images/image-field.tsx'
import { isAdminServer, type ShownServer } from '#web/features/servers/access.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { adminUserOptions } from '#web/features/users/admin/admin-user.api.ts'
import { Field } from '#web/ui/form/field.tsx'
import { NumberField, SwitchField, TextField, useField } from '#web/ui/form/fields.tsx'
import { TagsInput } from '#web/ui/form/tags-input.tsx'
import { GroupField } from './group-field.tsx'
import { LanguageField } from './language-field.tsx'
import { useListing } from './listing-form.ts'
import { RegionField } from './region-field.tsx'
import { VanityField } from './vanity-field.tsx'

interface ControlProps {
  name: ServerFieldName
  /** Receives text in the tags field that is not a tag yet. */
  onPendingTag?: (text: string) => void
}

/** The texts of a field beside the label of its row. */
const TEXTS: Readonly<Partial<Record<ServerFieldName, { label?: () => string; hint?: () => string; placeholder?: () => string }>>> = {
  game_mode: { placeholder: m.servers_listing_game_mode_placeholder },
  region: { hint: m.servers_listing_region_hint },
  tags: { hint: m.servers_listing_tags_hint, placeholder: m.servers_listing_tags_placeholder },
  visible: { label: m.servers_listing_visible, hint: m.servers_listing_visible_hint },
  promoted: { label: m.servers_listing_promote },
}

export const CONTROLS: Readonly<Record<Control, (props: ControlProps) => ReactNode>> = {
  line: Text,
  lines: ({ name }) => <Text name={name} rows={4} />,
  number: Whole,
  language: Language,
  region: Region,
  tags: Tags,
  url: ({ name }) => <Text name={name} type="url" inputMode="url" autoComplete="url" placeholder="example.com" max={undefined} />,
  switch: Switch,
  image: Icon,
  group: GroupField,
  vanity_id: VanityField,
}

function useFieldProps(name: ServerFieldName) {
  const { label, initial } = serverField(name)
  const { label: ownLabel = label, hint } = TEXTS[name] ?? {}
  return { form: useListing().form, name, label: ownLabel(), hint: hint?.(), optional: initial === '' }
}

const maxOf = (name: ServerFieldName) => (LIMITS as Readonly<Record<string, { readonly max?: number }>>)[name]?.max

type TextProps = { name: ServerFieldName } & Partial<Omit<ComponentProps<typeof TextField>, 'form' | 'name'>>

function Text({ name, ...input }: TextProps) {
  return <TextField {...useFieldProps(name)} max={maxOf(name)} placeholder={TEXTS[name]?.placeholder?.()} {...input} />
}

function Language({ name }: ControlProps) {
  return <LanguageField {...useFieldProps(name)} />
}

function Region({ name }: ControlProps) {
  return <RegionField {...useFieldProps(name)} />
}

function Icon({ name }: ControlProps) {
  return <ImageField {...useFieldProps(name)} purpose="SERVER_ICON" />
}

function Whole({ name }: { name: ServerFieldName }) {
  const { minValue, maxValue } = serverField(name).input as z.ZodNumber
  return <NumberField {...useFieldProps(name)} min={minValue ?? undefined} max={maxValue ?? undefined} />
}

function Tags({ name, onPendingTag }: ControlProps) {
  const { form, label, hint } = useFieldProps(name)
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
          placeholder={TEXTS[name]?.placeholder?.()}
        />
      )}
    </Field>
  )
}

function Switch({ name }: ControlProps) {
  const field = useFieldProps(name)
  const promotionHint = usePromotionHint()
  return <SwitchField {...field} hint={name === 'promoted' ? promotionHint : field.hint} />
}

/** An owner can promote one server. */
function usePromotionHint(): string {
  const { form, server } = useListing()
  const other = useOtherPromoted(server)
  if (other === undefined) return m.servers_listing_promote_hint()
  return form.values.promoted ? m.servers_listing_promote_moves({ other }) : m.servers_listing_promote_other({ other })
}

function useOtherPromoted(server: ShownServer): string | undefined {
  const { public_id, user_id, owner } = server
  const { data: list } = useQuery(serverListOptions)
  const { data: user } = useQuery({ ...adminUserOptions(user_id), enabled: isAdminServer(server) })
  const others = owner ? list?.management.filter((each) => each.user_id === user_id) : list?.owned
  const servers = isAdminServer(server) ? user?.masterListTokens : others
  return servers?.find((each) => each.promoted && each.public_id !== public_id)?.name
}
