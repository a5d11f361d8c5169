import { TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { z } from 'zod'
import { PERMISSION_KEYS, PERMISSIONS } from '#contract/servers/permissions.ts'
import type { GivenManagement, Me, PublicUser } from '#contract/users/users.ts'
import { m } from '#messages'
import { FindUser } from '#web/features/users/find-user.tsx'
import { Button } from '#web/ui/button.tsx'
import { Card } from '#web/ui/card.tsx'
import { counted } from '#web/ui/count-text.ts'
import { Form, FormNotes, useForm } from '#web/ui/form/form.tsx'
import { Options } from '#web/ui/form/option.tsx'
import { FieldGroup, useField } from '#web/ui/form/fields.tsx'
import { FormDialog } from '#web/ui/form/form-dialog.tsx'
import type { Form as FormState } from '#web/ui/form/form-options.ts'
import { RichText } from '#web/ui/rich-text.tsx'
import { toastSuccess } from '#web/ui/toast.ts'
import { useGrantPermissions } from './managers.api.ts'

export function AddManager({ me }: { me: Me }) {
  // A new key empties the form for the next manager.
  const [formKey, setFormKey] = useState(0)
  const isFull = me.gived_managements.length >= me.max_managers
  const hint = (
    <RichText message={m.managers_add_hint} tags={{ b: (text) => <strong className="font-semibold text-ink-1">{text}</strong> }} />
  )
  return (
    <Card title={m.managers_add_title()} description={isFull ? limitText(me.max_managers) : hint}>
      {!isFull && <AddForm key={formKey} me={me} onAdded={() => setFormKey(formKey + 1)} />}
    </Card>
  )
}

function limitText(max: number): string {
  return max === 0 ? m.managers_limit_zero() : m.managers_limit({ managers: m.count_managers(counted(max)) })
}

const permissionsSchema = (missing: () => string) => z.object({ permissions: z.array(z.enum(PERMISSION_KEYS)).min(1, { error: missing }) })
type Permissions = z.input<ReturnType<typeof permissionsSchema>>

/** Shows the permissions only once the user is found. */
function AddForm({ me, onAdded }: { me: Me; onAdded: () => void }) {
  const [user, setUser] = useState<PublicUser>()
  const grant = useGrantPermissions()
  const form = useForm({
    schema: permissionsSchema(() => m.managers_permissions_missing()),
    initial: { permissions: ['EDIT_DETAILS'] },
    submit: async ({ permissions }) => {
      if (user === undefined) return
      await grant.mutateAsync({ user_id: user.id, permissions })
      toastSuccess(m.managers_added({ user: user.discord.username }))
      onAdded()
    },
  })
  return (
    <div className="space-y-5">
      <FindUser
        me={me}
        selfMessage={m.managers_add_self()}
        reject={(found) =>
          me.gived_managements.some(({ manager_id }) => manager_id === found.id)
            ? m.managers_add_duplicate({ user: found.discord.username })
            : undefined
        }
        found={user}
        onFound={setUser}
      />
      {user && (
        <Form form={form} className="space-y-4">
          <PermissionFields form={form} legend={m.managers_permissions_of({ user: user.discord.username })} />
          <FormNotes form={form} />
          <Button type="submit" variant="primary" busy={form.isBusy} className="max-sm:w-full">
            {m.managers_add()}
          </Button>
        </Form>
      )}
    </div>
  )
}

export function EditPermissionsDialog({ grant, onClose }: { grant: GivenManagement; onClose: () => void }) {
  const name = grant.manager.discord.username
  const change = useGrantPermissions()
  const form = useForm({
    schema: permissionsSchema(() => m.managers_edit_missing()),
    stored: grant,
    valuesOf: ({ permissions }) => ({ permissions }),
    submit: async ({ permissions }) => {
      const changed = await change.mutateAsync({ user_id: grant.manager_id, permissions })
      toastSuccess(m.managers_edit_saved(), name)
      onClose()
      return changed
    },
    onUnchanged: onClose,
  })
  return (
    <FormDialog form={form} title={m.managers_edit_named({ user: name })} confirm={m.managers_edit_save()} onClose={onClose}>
      <p className="mt-2 mb-4 text-13 text-ink-2">{m.managers_edit_hint()}</p>
      <PermissionFields form={form} legend={m.managers_permissions()} />
    </FormDialog>
  )
}

function PermissionFields({ form, legend }: { form: FormState<Permissions>; legend: string }) {
  const field = useField(form, 'permissions')
  return (
    <FieldGroup legend={legend} error={field.error} className="mb-2 text-13">
      <div className="divide-y divide-line rounded-6 border border-line">
        <Options
          keys={PERMISSION_KEYS}
          field={field}
          titleOf={(key) => (
            <>
              <span className="font-medium">{PERMISSIONS[key].name()}</span>
              {PERMISSIONS[key].isDangerous && (
                <span className="inline-flex items-center gap-1 text-12 font-medium text-warn">
                  <TriangleAlert size={13} aria-hidden="true" />
                  {m.managers_dangerous()}
                </span>
              )}
            </>
          )}
          hintOf={(key) => PERMISSIONS[key].allows()}
          optionClass="first:rounded-t-6 last:rounded-b-6"
        />
      </div>
    </FieldGroup>
  )
}
