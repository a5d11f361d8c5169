import { useId } from 'react'
import { SCOPES, SCOPE_KEYS, type Scope } from '#contract/users/scopes.ts'
import { m } from '#messages'
import { Options } from '#web/ui/form/option.tsx'
import { FieldGroup, useField } from '#web/ui/form/fields.tsx'
import type { Form } from '#web/ui/form/form-options.ts'
import type { KeyInput } from './new-key-form.tsx'

const isRead = (scope: Scope) => scope.endsWith(':read')
const GROUPS = [
  { title: m.api_keys_scopes_read(), scopes: SCOPE_KEYS.filter(isRead) },
  { title: m.api_keys_scopes_write(), scopes: SCOPE_KEYS.filter((scope) => !isRead(scope)) },
]

export function ScopeFields({ form }: { form: Form<KeyInput> }) {
  const field = useField(form, 'scopes')
  const id = useId()
  return (
    <FieldGroup legend={m.api_keys_scopes()} error={field.error} className="mb-2 text-13">
      <div className="space-y-4">
        {GROUPS.map(({ title, scopes }, index) => (
          <div key={title} role="group" aria-labelledby={`${id}-${index}`} className="min-w-0">
            <p id={`${id}-${index}`} className="mb-1.5 text-12 text-ink-3">
              {title}
            </p>
            <div className="grid gap-2 sm:grid-cols-2">
              <Options
                keys={SCOPE_KEYS}
                shown={scopes}
                field={field}
                titleOf={(scope) => (
                  <>
                    <span className="font-medium">{SCOPES[scope].title()}</span>
                    <code className="font-mono text-12 text-ink-3">{scope}</code>
                  </>
                )}
                hintOf={(scope) => SCOPES[scope].hint()}
                optionClass="rounded-6 border border-line has-checked:border-accent"
              />
            </div>
          </div>
        ))}
      </div>
    </FieldGroup>
  )
}
