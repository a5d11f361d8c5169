/** The details of the listing: one control for each field, by its kind. */
import type { ReactNode } from 'react'
import { Controller } from 'react-hook-form'
import { fieldsOfPermission, serverField } from '#contract/server-field-shapes.ts'
import { LIMITS, type SERVER_FIELDS } from '#contract/server-fields.ts'
import { m } from '#messages'
import { Field } from '#web/ui/form/field.tsx'
import { TagsInput } from '#web/ui/form/tags-input.tsx'
import { LanguageSelect } from './language-select.tsx'
import { RegionField } from './region-field.tsx'
import { useListing } from './listing-input.ts'

interface ListingFieldsProps {
  /** How often changes were discarded. */
  discards: number
  /** Receives text in the tags field that is not a tag yet. */
  onPendingTag: (text: string) => void
}

const DETAILS = fieldsOfPermission('EDIT_DETAILS')
type Detail = (typeof DETAILS)[number]
type ControlKind = (typeof SERVER_FIELDS)[Detail]['control']
type DetailOf<Kind> = { [F in Detail]: (typeof SERVER_FIELDS)[F]['control'] extends Kind ? F : never }[Detail]

const CONTROLS: { readonly [Kind in ControlKind]: (props: { name: DetailOf<Kind> } & ListingFieldsProps) => ReactNode } = {
  line: TextField,
  lines: TextField,
  language: LanguageField,
  region: ({ name }) => {
    const { form } = useListing()
    return <RegionField {...form.register(name)} error={form.formState.errors[name]?.message} />
  },
  // Discarding the changes also clears text that is not a tag yet.
  tags: ({ discards, ...props }) => <TagsField key={discards} {...props} />,
  url: UrlField,
  switch: Switch,
}

/** Selects stand side by side. */
const NARROW: readonly ControlKind[] = ['language', 'region']

export function ListingFields(props: ListingFieldsProps) {
  return (
    <div className="card grid gap-5 p-5 sm:grid-cols-2">
      {DETAILS.map((name) => {
        const kind = serverField(name).control as ControlKind
        const Control = CONTROLS[kind] as (props: { name: Detail } & ListingFieldsProps) => ReactNode
        return (
          <div key={name} className={NARROW.includes(kind) ? 'min-w-0' : 'min-w-0 sm:col-span-2'}>
            <Control name={name} {...props} />
          </div>
        )
      })}
    </div>
  )
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

function LanguageField({ name }: { name: DetailOf<'language'> }) {
  const { form } = useListing()
  return (
    <Field label={serverField(name).label()} error={form.formState.errors[name]?.message}>
      {(props) => <LanguageSelect {...props} {...form.register(name)} />}
    </Field>
  )
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

function TagsField({ name, onPendingTag }: { name: DetailOf<'tags'> } & Pick<ListingFieldsProps, 'onPendingTag'>) {
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
