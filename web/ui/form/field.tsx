import { type ReactNode, useId } from 'react'
import { m } from '#messages'
import { FieldError } from './field-error.tsx'

interface FieldProps {
  label: ReactNode
  hint?: ReactNode
  error?: string | undefined
  aside?: ReactNode
  optional?: boolean | undefined
  children: (control: { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }) => ReactNode
}

export function Field({ label, hint, error, aside, optional = false, children }: FieldProps) {
  const id = useId()
  const noteId = `${id}-note`
  const isDescribed = error !== undefined || hint !== undefined
  return (
    // `relative` keeps the visually hidden note from extending the page.
    <div className="relative">
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-13 font-medium text-ink-1">
          {label}
          {optional && <span className="ml-1.5 font-normal text-ink-3">{m.ui_optional()}</span>}
        </label>
        {aside !== undefined && <span className="text-12 text-ink-3 tabular-nums">{aside}</span>}
      </div>
      {children({ id, 'aria-describedby': isDescribed ? noteId : undefined, 'aria-invalid': error === undefined ? undefined : true })}
      <FieldError id={noteId} hint={hint}>
        {error}
      </FieldError>
    </div>
  )
}
