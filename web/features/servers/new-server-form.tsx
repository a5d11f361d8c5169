import { zodResolver } from '@hookform/resolvers/zod'
import { useForm, useWatch } from 'react-hook-form'
import { LIMITS } from '#contract/servers/server-fields.ts'
import { NewServer, type ServerWithCredential } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { setFormErrors } from '#web/features/servers/listing/form-errors.ts'
import { LanguageSelect, useLikelyLanguage } from '#web/features/servers/listing/language-select.tsx'
import { RegionField } from '#web/features/servers/listing/region-field.tsx'
import { useCreateServer } from './server-mutations.ts'
import { useDraft } from './use-draft.ts'

const Draft = NewServer.pick({ name: true, language: true, region: true })
type DraftInput = { name: string; language?: string | undefined; region?: string | null | undefined }

export function NewServerForm({ onCreated }: { onCreated: (server: ServerWithCredential) => void }) {
  const language = useLikelyLanguage()
  const create = useCreateServer()
  const form = useForm<DraftInput>({
    resolver: zodResolver(Draft),
    defaultValues: { name: '', language, region: '' },
    mode: 'onTouched',
  })
  const { control, register, handleSubmit, setError, formState } = form
  const { errors } = formState
  const draft = useDraft(form, useWatch({ control }) as DraftInput, 'new-server')
  // `mutateAsync`, because another call of `mutate` would drop its callbacks, and the credential would never be shown.
  const submit = useSingleFlight(
    handleSubmit(async (values) => {
      try {
        const created = await create.mutateAsync(values)
        draft.clear()
        onCreated(created)
      } catch (error) {
        setFormErrors<DraftInput>(error, ['name', 'language', 'region'], setError)
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
      <Field label={m.servers_new_name()} hint={m.servers_new_name_hint()} error={errors.name?.message}>
        {(control) => (
          <input
            {...control}
            {...register('name')}
            // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page exists for this field
            autoFocus
            autoComplete="off"
            maxLength={LIMITS.name.max * 2}
            placeholder={m.servers_new_name_placeholder()}
            className="field-input"
          />
        )}
      </Field>
      <Field label={m.servers_new_language()} hint={m.servers_new_language_hint()} error={errors.language?.message}>
        {(control) => <LanguageSelect {...control} {...register('language')} />}
      </Field>
      <RegionField {...register('region')} error={errors.region?.message} />
      {draft.isRestored && (
        <p role="status" className="text-13 text-ink-2">
          {m.common_unsaved_restored()}
        </p>
      )}
      {errors.root?.message !== undefined && <ErrorNote>{errors.root.message}</ErrorNote>}
      <Button type="submit" variant="primary" busy={create.isPending} className="w-full sm:w-auto">
        {m.servers_new_create()}
      </Button>
    </form>
  )
}
