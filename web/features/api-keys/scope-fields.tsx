import { useId } from 'react'
import { SCOPES, SCOPE_KEYS, type Scope } from '#contract/users/scopes.ts'
import { m } from '#messages'
import { CheckOption } from '#web/ui/form/check-option.tsx'
import { FieldError } from '#web/ui/form/field-error.tsx'

const isRead = (scope: Scope) => scope.endsWith(':read')
const GROUPS = [
  { title: m.api_keys_scopes_read(), scopes: SCOPE_KEYS.filter(isRead) },
  { title: m.api_keys_scopes_write(), scopes: SCOPE_KEYS.filter((scope) => !isRead(scope)) },
]

interface ScopeFieldsProps {
  value: readonly Scope[]
  onChange: (value: Scope[]) => void
  error: string | undefined
}

export function ScopeFields({ value, onChange, error }: ScopeFieldsProps) {
  const errorId = useId()
  const toggle = (scope: Scope) => onChange(SCOPE_KEYS.filter((each) => value.includes(each) !== (each === scope)))
  return (
    <fieldset aria-describedby={errorId} className="relative min-w-0">
      <legend className="mb-2 text-13 font-medium">{m.api_keys_scopes()}</legend>
      <div className="space-y-4">
        {GROUPS.map(({ title, scopes }) => (
          <ScopeGroup key={title} title={title} scopes={scopes} value={value} onToggle={toggle} />
        ))}
      </div>
      <FieldError id={errorId}>{error}</FieldError>
    </fieldset>
  )
}

interface ScopeGroupProps {
  title: string
  scopes: readonly Scope[]
  value: readonly Scope[]
  onToggle: (scope: Scope) => void
}

function ScopeGroup({ title, scopes, value, onToggle }: ScopeGroupProps) {
  const titleId = useId()
  return (
    <div role="group" aria-labelledby={titleId} className="min-w-0">
      <p id={titleId} className="mb-1.5 text-12 text-ink-3">
        {title}
      </p>
      <div className="grid gap-2 sm:grid-cols-2">
        {scopes.map((scope) => (
          <CheckOption
            key={scope}
            isChecked={value.includes(scope)}
            onToggle={() => onToggle(scope)}
            title={
              <>
                <span className="font-medium">{SCOPES[scope].title()}</span>
                <code className="font-mono text-12 text-ink-3">{scope}</code>
              </>
            }
            hint={SCOPES[scope].hint()}
            className="rounded-6 border border-line has-checked:border-accent"
          />
        ))}
      </div>
    </div>
  )
}
