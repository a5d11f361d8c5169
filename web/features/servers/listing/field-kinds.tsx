/** What a kind of field needs: a control, and its value as people read it. */
import type { ReactNode } from 'react'
import { Controller } from 'react-hook-form'
import type { z } from 'zod'
import { type ServerFieldName, fieldsOfPermission, serverField } from '#contract/servers/server-field-shapes.ts'
import { type Control, LIMITS, type SERVER_FIELDS } from '#contract/servers/server-fields.ts'
import { m } from '#messages'
import { formatNumber } from '#web/lib/format.ts'
import { languageName } from '#web/lib/language-name.ts'
import { regionName } from '#web/lib/region-name.ts'
import { Field } from '#web/ui/form/field.tsx'
import { NumberInput } from '#web/ui/form/number-input.tsx'
import { TagsInput } from '#web/ui/form/tags-input.tsx'
import type { Entitlement } from './entitlement.ts'
import { LanguageSelect } from './language-select.tsx'
import { type ListingInput, useListing } from './listing-input.ts'
import { RegionField } from './region-field.tsx'

type Show = (value: unknown, values: Pick<ListingInput, 'icon_url'>, groups: Entitlement['groups']) => ReactNode

const asText: Show = (value) => value as string

const SHOW: Readonly<Record<Control, Show>> = {
  line: asText,
  lines: asText,
  url: asText,
  number: (value) => formatNumber(value as number),
  language: (code) => languageName(code as string),
  region: (code) => regionName(code as string),
  tags: (tags) => (tags as string[]).join(', '),
  switch: (isOn) => (isOn === true ? m.servers_listing_on() : m.servers_listing_off()),
  image: (_, { icon_url }) =>
    icon_url && <img src={icon_url} alt={serverField('icon_image_id').label()} className="mt-1 size-12 rounded-6" />,
  group: (id, _, groups) => groups.find((group) => group.id === id)?.name ?? m.servers_listing_group_unknown(),
  vanity_id: (id) => <span className="font-mono">@{id as string}</span>,
}

/** Null for a field without a value. */
export function shownValue(name: ServerFieldName, values: ListingInput, groups: Entitlement['groups']): ReactNode {
  const value = values[name]
  return value === null || value === '' ? null : SHOW[serverField(name).control](value, values, groups) || null
}

export interface DetailsProps {
  /** How often changes were discarded. */
  discards: number
  /** Receives text in the tags field that is not a tag yet. */
  onPendingTag: (text: string) => void
}

export const DETAILS = fieldsOfPermission('EDIT_DETAILS')
export type Detail = (typeof DETAILS)[number]
export type DetailKind = Exclude<Control, 'image' | 'group' | 'vanity_id'>
type DetailOf<Kind> = { [F in Detail]: (typeof SERVER_FIELDS)[F]['control'] extends Kind ? F : never }[Detail]

export const CONTROLS: { readonly [Kind in DetailKind]: (props: { name: DetailOf<Kind> } & DetailsProps) => ReactNode } = {
  line: TextField,
  lines: TextField,
  number: NumberField,
  language: LanguageField,
  region: RegionSelect,
  // Discarding the changes also clears text that is not a tag yet.
  tags: ({ discards, ...props }) => <TagsField key={discards} {...props} />,
  url: UrlField,
  switch: Switch,
}

function TextField({ name }: { name: DetailOf<'line' | 'lines'> }) {
  const { form, values } = useListing()
  const { control, initial, label } = serverField(name)
  const input = { ...form.register(name), className: 'field-input' }
  return (
    <Field
      label={label()}
      optional={initial === ''}
      error={form.formState.errors[name]?.message}
      aside={`${Array.from(values[name] ?? '').length} / ${LIMITS[name].max}`}
    >
      {(props) =>
        control === 'lines' ? (
          <textarea {...props} {...input} rows={4} className="field-input resize-y" />
        ) : (
          <input
            {...props}
            {...input}
            autoComplete="off"
            placeholder={name === 'game_mode' ? m.servers_listing_game_mode_placeholder() : undefined}
          />
        )
      }
    </Field>
  )
}

function NumberField({ name }: { name: Detail }) {
  const { form } = useListing()
  const { input, label } = serverField(name)
  const { minValue, maxValue } = input as z.ZodNumber
  return (
    <Field label={label()} error={form.formState.errors[name]?.message}>
      {(props) => (
        <Controller
          control={form.control}
          name={name}
          render={({ field }) => (
            <NumberInput
              {...props}
              {...field}
              value={field.value as unknown as number}
              min={minValue ?? undefined}
              max={maxValue ?? undefined}
            />
          )}
        />
      )}
    </Field>
  )
}

function LanguageField({ name }: { name: DetailOf<'language'> }) {
  const { form } = useListing()
  return (
    <Field label={serverField(name).label()} error={form.formState.errors[name]?.message}>
      {(props) => <LanguageSelect {...props} {...form.register(name)} />}
    </Field>
  )
}

function RegionSelect({ name }: { name: DetailOf<'region'> }) {
  const { form } = useListing()
  return <RegionField {...form.register(name)} error={form.formState.errors[name]?.message} />
}

function UrlField({ name }: { name: DetailOf<'url'> }) {
  const { form } = useListing()
  return (
    <Field label={serverField(name).label()} optional error={form.formState.errors[name]?.message}>
      {(props) => (
        <input
          {...props}
          {...form.register(name)}
          type="url"
          inputMode="url"
          autoComplete="url"
          placeholder="example.com"
          className="field-input"
        />
      )}
    </Field>
  )
}

function TagsField({ name, onPendingTag }: { name: DetailOf<'tags'> } & Pick<DetailsProps, 'onPendingTag'>) {
  const { form, values } = useListing()
  const error = form.formState.errors[name]
  return (
    <Field
      label={serverField(name).label()}
      optional
      hint={m.servers_listing_tags_hint()}
      error={error?.message ?? error?.find?.((tag) => tag?.message)?.message}
      aside={`${values[name].length} / ${LIMITS[name].count}`}
    >
      {(props) => (
        <Controller
          control={form.control}
          name={name}
          render={({ field: { value, onChange, onBlur } }) => (
            <TagsInput
              {...props}
              {...{ value, onChange, onBlur }}
              onPendingText={onPendingTag}
              max={LIMITS[name].count}
              maxLength={LIMITS[name].length}
              placeholder={m.servers_listing_tags_placeholder()}
            />
          )}
        />
      )}
    </Field>
  )
}

const SWITCH_TEXTS: Readonly<Record<DetailOf<'switch'>, { label: () => string; hint: () => string }>> = {
  visible: { label: () => m.servers_listing_visible(), hint: () => m.servers_listing_visible_hint() },
}

function Switch({ name }: { name: DetailOf<'switch'> }) {
  const { label, hint } = SWITCH_TEXTS[name]
  const { register } = useListing().form
  return (
    <label className="flex cursor-pointer items-start gap-3">
      {/* oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox has its own checked state */}
      <input type="checkbox" role="switch" {...register(name)} className="switch mt-0.5" />
      <span>
        <span className="block text-13 font-medium">{label()}</span>
        <span className="block text-13 text-ink-3">{hint()}</span>
      </span>
    </label>
  )
}
