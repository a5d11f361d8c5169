import type { ComponentProps } from 'react'
import { Controller } from 'react-hook-form'
import { LIMITS } from '#contract/servers.ts'
import { Field } from '#web/ui/form/field.tsx'
import { TagsInput } from '#web/ui/form/tags-input.tsx'
import { type Language, LanguageSelect } from './language-select.tsx'
import type { ListingFormState } from './listing-form.tsx'
import type { ListingInput } from './listing-input.ts'

interface FieldsProps {
  form: ListingFormState
  typed: ListingInput
  languages: readonly Language[]
  /** How often the changes were discarded. */
  discarded: number
  /** Hears what is typed among the tags and is none. */
  onRestOfTags: (text: string) => void
}

/** The texts of the listing, and whether players see it at all. */
export function ListingFields({
  form: {
    register,
    formState: { errors },
  },
  form,
  typed,
  languages,
  discarded,
  onRestOfTags,
}: FieldsProps) {
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
          {(props) => <LanguageSelect {...props} {...register('language')} languages={languages} />}
        </Field>
        <Field label="Game mode" optional error={errors.game_mode?.message}>
          {(props) => <input {...props} {...register('game_mode')} autoComplete="off" placeholder="Freeroam" className="field-input" />}
        </Field>
      </div>
      {/* What is typed there and is no tag is discarded with the rest. */}
      <TagsField key={discarded} form={form} count={typed.tags.length} onRest={onRestOfTags} />
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
      <VisibleSwitch {...register('visible')} />
    </div>
  )
}

interface TagsFieldProps {
  form: ListingFormState
  count: number
  onRest: (text: string) => void
}

function TagsField({ form: { control, formState }, count, onRest }: TagsFieldProps) {
  const { tags } = formState.errors
  return (
    <Field
      label="Tags"
      optional
      hint="Enter or a comma adds one."
      error={tags?.message ?? tags?.find?.((tag) => tag?.message)?.message}
      aside={`${count} / ${LIMITS.tags.count}`}
    >
      {(props) => (
        <Controller
          control={control}
          name="tags"
          render={({ field }) => (
            <TagsInput
              {...props}
              value={field.value}
              onChange={field.onChange}
              onBlur={field.onBlur}
              onRest={onRest}
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

function VisibleSwitch(props: ComponentProps<'input'>) {
  return (
    <label className="flex cursor-pointer items-start gap-3">
      {/* oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox says by itself whether it is on */}
      <input type="checkbox" role="switch" {...props} className="switch mt-0.5" />
      <span>
        <span className="block text-13 font-medium">Show on the public list</span>
        <span className="block text-13 text-ink-3">Off, the server keeps announcing but players don’t find it.</span>
      </span>
    </label>
  )
}
