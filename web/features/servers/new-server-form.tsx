import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { LIMITS, NewServer, type ServerWithCredential } from '#contract/servers.ts'
import { m } from '#messages'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { setFormErrors } from '#web/features/servers/listing/form-errors.ts'
import { LanguageSelect, useLikelyLanguage } from '#web/features/servers/listing/language-select.tsx'
import { useCreateServer } from './server-mutations.ts'
import { useDraft } from './use-draft.ts'

const Draft = NewServer.pick({ name: true, language: true })
type DraftInput = { name: string; language?: string | undefined }

export function NewServerForm({ onCreated }: { onCreated: (server: ServerWithCredential) => void }) {
  const language = useLikelyLanguage()
  const create = useCreateServer()
  const form = useForm<DraftInput>({
    resolver: zodResolver(Draft),
    defaultValues: { name: '', language },
    mode: 'onTouched',
  })
  const { control, register, handleSubmit, setError, formState } = form
  const { errors } = formState
  const draft = useDraft(form, useWatch({ control }) as DraftInput, 'new-server')
  // Not with the callbacks of `mutate`, which a newer call would take away: the credential would be shown nowhere.
  const submit = useSingleFlight(
    handleSubmit(async (given) => {
      try {
        const created = await create.mutateAsync(given)
        draft.clear()
        onCreated(created)
      } catch (error) {
        setFormErrors<DraftInput>(error, ['name', 'language'], setError)
      }
    }),
  )
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
      className="card space-y-5 p-5 sm:p-6"
    >
      <Field label="Name" hint="What players read on the list. You can change it later." error={errors.name?.message}>
        {(control) => (
          <input
            {...control}
            {...register('name')}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is about this one field
            autoFocus
            autoComplete="off"
            maxLength={LIMITS.name.max * 2}
            placeholder="Friday Night Roleplay"
            className="field-input"
          />
        )}
      </Field>
      <Field label="Language" hint="What is spoken there." error={errors.language?.message}>
        {(control) => <LanguageSelect {...control} {...register('language')} />}
      </Field>
      {draft.isRestored && (
        <p role="status" className="text-13 text-ink-2">
          {m.common_unsaved_restored()}
        </p>
      )}
      {errors.root?.message !== undefined && <ErrorNote>{errors.root.message}</ErrorNote>}
      <Button type="submit" look="primary" busy={create.isPending} className="w-full sm:w-auto">
        Create server
      </Button>
    </form>
  )
}
