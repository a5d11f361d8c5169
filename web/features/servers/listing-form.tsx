import { zodResolver } from '@hookform/resolvers/zod'
import { type ComponentProps, useEffect } from 'react'
import { Controller, useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { LIMITS, type Server, ServerChanges } from '#contract/servers.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { Field } from '#web/ui/field.tsx'
import { TagsInput } from '#web/ui/tags-input.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import type { ShownServer } from './access.ts'
import { showErrors } from './form-errors.ts'
import { type Language, LanguageSelect } from './language-select.tsx'
import { type ListingInput, ListingPreview } from './listing-preview.tsx'
import { SaveBar, UnsavedGuard } from './unsaved.tsx'
import { useChangeServer } from './servers.api.ts'
import { useDraft } from './use-draft.ts'

const Listing = ServerChanges.pick({
  name: true,
  description: true,
  language: true,
  tags: true,
  game_mode: true,
  website: true,
  visible: true,
}).required()

type ListingFormState = UseFormReturn<ListingInput, unknown, ServerChanges>

const FIELDS = ['name', 'description', 'language', 'tags', 'game_mode', 'website', 'visible'] as const

function listingOf(server: Server): ListingInput {
  const { name, description, language, tags, game_mode, website, visible } = server
  return { name, description, language, tags, game_mode, website, visible }
}

/** For what a form holds: texts, lists of texts, yes or no. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** What players see, beside how they see it. Changes wait for Save; nothing that was typed is lost on the way. */
export function ListingForm({ server, languages }: { server: ShownServer; languages: readonly Language[] }) {
  const change = useChangeServer(server)
  const form: ListingFormState = useForm({ resolver: zodResolver(Listing), defaultValues: listingOf(server), mode: 'onTouched' })
  const { control, handleSubmit, getValues, setValue, setError, reset, formState } = form
  const { isDirty, dirtyFields } = formState
  const typed = useWatch({ control }) as ListingInput

  // Somebody else may change the server meanwhile: an untouched form follows, a touched one keeps what was typed.
  useEffect(() => {
    if (!isDirty && !isSame(getValues(), listingOf(server))) reset(listingOf(server))
  }, [server, isDirty, getValues, reset])

  const draft = useDraft(form, typed, `listing.${server.public_id}`)

  /** What was typed on while it was saved stays and is unsaved; everything else is as the backend keeps it. */
  const takeSaved = (sent: ListingInput, saved: ListingInput) => {
    const now = structuredClone(getValues())
    // Only what the form compares with: the fields themselves, and the caret in them, are left alone.
    reset(saved, { keepValues: true })
    for (const name of FIELDS) setValue(name, isSame(now[name], sent[name]) ? saved[name] : now[name], { shouldDirty: true })
  }
  const save = useSingly(async () => {
    const sent = structuredClone(getValues())
    await handleSubmit(async (values) => {
      const changed = Object.fromEntries(
        FIELDS.filter((name) => dirtyFields[name] !== undefined && dirtyFields[name] !== false).map((name) => [name, values[name]]),
      )
      try {
        takeSaved(sent, listingOf(await change.mutateAsync(changed)))
        toastSuccess('Listing saved')
      } catch (error) {
        showErrors<ListingInput>(error, FIELDS, setError)
      }
    })()
  })

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_340px]">
        <ListingFields form={form} typed={typed} languages={languages} />
        <ListingPreview server={server} typed={typed} languages={languages} />
      </div>
      {isDirty && (
        <SaveBar
          busy={change.isPending}
          isBack={draft.isBack}
          problem={formState.errors.root?.message}
          onDiscard={() => reset(listingOf(server))}
        />
      )}
      <UnsavedGuard dirty={isDirty} onLeave={draft.drop} />
    </form>
  )
}

interface FieldsProps {
  form: ListingFormState
  typed: ListingInput
  languages: readonly Language[]
}

function ListingFields({
  form: {
    register,
    formState: { errors },
  },
  form,
  typed,
  languages,
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
      <TagsField form={form} count={typed.tags.length} />
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

function TagsField({ form: { control, formState }, count }: { form: ListingFormState; count: number }) {
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
