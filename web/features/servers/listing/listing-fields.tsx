import { Controller } from 'react-hook-form'
import { LIMITS } from '#contract/servers.ts'
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

export function ListingFields({ discards, onPendingTag }: ListingFieldsProps) {
  const { form, values } = useListing()
  const { register } = form
  const { errors } = form.formState
  return (
    <div className="card space-y-5 p-5">
      <Field label={m.servers_listing_name()} error={errors.name?.message} aside={`${Array.from(values.name).length} / ${LIMITS.name.max}`}>
        {(props) => <input {...props} {...register('name')} autoComplete="off" className="field-input" />}
      </Field>
      <Field
        label={m.servers_listing_description()}
        optional
        error={errors.description?.message}
        aside={`${Array.from(values.description ?? '').length} / ${LIMITS.description.max}`}
      >
        {(props) => <textarea {...props} {...register('description')} rows={4} className="field-input resize-y" />}
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label={m.servers_listing_language()} error={errors.language?.message}>
          {(props) => <LanguageSelect {...props} {...register('language')} />}
        </Field>
        <RegionField {...register('region')} error={errors.region?.message} />
      </div>
      <Field label={m.servers_listing_game_mode()} optional error={errors.game_mode?.message}>
        {(props) => (
          <input
            {...props}
            {...register('game_mode')}
            autoComplete="off"
            placeholder={m.servers_listing_game_mode_placeholder()}
            className="field-input"
          />
        )}
      </Field>
      {/* Discarding the changes also clears text that is not a tag yet. */}
      <TagsField key={discards} onPendingTag={onPendingTag} />
      <Field label={m.servers_listing_website()} optional error={errors.website?.message}>
        {(props) => (
          <input
            {...props}
            {...register('website')}
            type="url"
            inputMode="url"
            autoComplete="url"
            placeholder="example.com"
            className="field-input"
          />
        )}
      </Field>
      <VisibleSwitch />
    </div>
  )
}

function TagsField({ onPendingTag }: { onPendingTag: (text: string) => void }) {
  const { form, values } = useListing()
  const { tags } = form.formState.errors
  return (
    <Field
      label={m.servers_listing_tags()}
      optional
      hint={m.servers_listing_tags_hint()}
      error={tags?.message ?? tags?.find?.((tag) => tag?.message)?.message}
      aside={`${values.tags.length} / ${LIMITS.tags.count}`}
    >
      {(props) => (
        <Controller
          control={form.control}
          name="tags"
          render={({ field: { value, onChange, onBlur } }) => (
            <TagsInput
              {...props}
              {...{ value, onChange, onBlur }}
              onPendingText={onPendingTag}
              max={LIMITS.tags.count}
              maxLength={LIMITS.tags.length}
              placeholder={m.servers_listing_tags_placeholder()}
            />
          )}
        />
      )}
    </Field>
  )
}

function VisibleSwitch() {
  const { register } = useListing().form
  return (
    <label className="flex cursor-pointer items-start gap-3">
      {/* oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox has its own checked state */}
      <input type="checkbox" role="switch" {...register('visible')} className="switch mt-0.5" />
      <span>
        <span className="block text-13 font-medium">{m.servers_listing_visible()}</span>
        <span className="block text-13 text-ink-3">{m.servers_listing_visible_hint()}</span>
      </span>
    </label>
  )
}
