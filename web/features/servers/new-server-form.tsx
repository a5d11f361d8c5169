import { serverField } from '#contract/servers/server-field-shapes.ts'
import { LIMITS } from '#contract/servers/server-fields.ts'
import { NewServer, type ServerWithCredential } from '#contract/servers/servers.ts'
import { m } from '#messages'
import { LanguageField, RegionField, useLikelyLanguage } from '#web/features/servers/listing/choice-fields.tsx'
import { useDraftKey } from '#web/features/session/session.api.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { Form, FormNotes, useForm } from '#web/ui/form/form.tsx'
import { useCreateServer } from './server-mutations.ts'

const Draft = NewServer.pick({ name: true, language: true, region: true }).required()

export function NewServerForm({ onCreated }: { onCreated: (server: ServerWithCredential) => void }) {
  const create = useCreateServer()
  const form = useForm({
    schema: Draft,
    initial: { name: '', language: useLikelyLanguage(), region: '' },
    draft: useDraftKey('new-server'),
    // `mutateAsync`, because another call of `mutate` would drop its callbacks, and the credential would never be shown.
    submit: async (body) => onCreated(await create.mutateAsync(body)),
  })
  return (
    <Form form={form} className="card space-y-5 p-5 sm:p-6">
      <TextField
        form={form}
        name="name"
        label={m.servers_new_name()}
        hint={m.servers_new_name_hint()}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page exists for this field
        autoFocus
        maxLength={LIMITS.name.max * 2}
        placeholder={m.servers_new_name_placeholder()}
      />
      <LanguageField form={form} name="language" label={m.servers_new_language()} hint={m.servers_new_language_hint()} />
      <RegionField form={form} name="region" label={serverField('region').label()} optional hint={m.servers_listing_region_hint()} />
      <FormNotes form={form} />
      <Button type="submit" variant="primary" busy={form.isBusy} className="w-full sm:w-auto">
        {m.servers_new_create()}
      </Button>
    </Form>
  )
}
