import { Controller } from 'react-hook-form'
import { LIMITS } from '#contract/servers.ts'
import { Field } from '#web/ui/form/field.tsx'
import { TagsInput } from '#web/ui/form/tags-input.tsx'
import { LanguageSelect } from './language-select.tsx'
import { useListing } from './listing-input.ts'

/** @param discarded how often the changes were. @param onRestOfTags gets what is typed among the tags and is not one yet. */
export function ListingFields({ discarded, onRestOfTags }: { discarded: number; onRestOfTags: (text: string) => void }) {
  const { form, typed } = useListing()
  const { register } = form
  const { errors } = form.formState
  return (
    <div className="card space-y-5 p-5">
      <Field label="Name" error={errors.name?.message} aside={`${Array.from(typed.name).length} / ${LIMITS.name.max}`}>
        {(props) => <input {...props} {...register('name')} autoComplete="off" className="field-input" />}
      </Field>
      <Field
        label="Description"
        optional
        error={errors.description?.message}
        aside={`${Array.from(typed.description ?? '').length} / ${LIMITS.description.max}`}
      >
        {(props) => <textarea {...props} {...register('description')} rows={4} className="field-input resize-y" />}
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field label="Language" error={errors.language?.message}>
          {(props) => <LanguageSelect {...props} {...register('language')} />}
        </Field>
        <Field label="Game mode" optional error={errors.game_mode?.message}>
          {(props) => <input {...props} {...register('game_mode')} autoComplete="off" placeholder="Freeroam" className="field-input" />}
        </Field>
      </div>
      {/* What is typed there and is no tag is discarded with the rest. */}
      <TagsField key={discarded} onRest={onRestOfTags} />
      <Field label="Website" optional error={errors.website?.message}>
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

function TagsField({ onRest }: { onRest: (text: string) => void }) {
  const { form, typed } = useListing()
  const { tags } = form.formState.errors
  return (
    <Field
      label="Tags"
      optional
      hint="Enter or a comma adds one."
      error={tags?.message ?? tags?.find?.((tag) => tag?.message)?.message}
      aside={`${typed.tags.length} / ${LIMITS.tags.count}`}
    >
      {(props) => (
        <Controller
          control={form.control}
          name="tags"
          render={({ field: { value, onChange, onBlur } }) => (
            <TagsInput
              {...props}
              {...{ value, onChange, onBlur, onRest }}
              max={LIMITS.tags.count}
              maxLength={LIMITS.tags.length}
              placeholder="roleplay"
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
      {/* oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox says by itself whether it is on */}
      <input type="checkbox" role="switch" {...register('visible')} className="switch mt-0.5" />
      <span>
        <span className="block text-13 font-medium">Show on the public list</span>
        <span className="block text-13 text-ink-3">Off, the server keeps announcing but players don’t find it.</span>
      </span>
    </label>
  )
}
