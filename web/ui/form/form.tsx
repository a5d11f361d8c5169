import type { ComponentProps } from 'react'
import type { FieldValues } from 'react-hook-form'
import { m } from '#messages'
import { ErrorNote } from '#web/ui/note.tsx'
import type { Form as FormState } from './form-options.ts'

type FormProps<T extends FieldValues> = Omit<ComponentProps<'form'>, 'onSubmit'> & { form: Pick<FormState<T>, 'submit'> }

/** A form without the browser's own validation. */
export function Form<T extends FieldValues>({ form, ...rest }: FormProps<T>) {
  return (
    <form
      {...rest}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        form.submit(event.currentTarget)
      }}
    />
  )
}

/** Above the buttons: whether the input is from an earlier visit, and the problem that belongs to no field. */
export function FormNotes({ form, className }: { form: { isRestored: boolean; problem: string | undefined }; className?: string }) {
  return (
    <>
      {form.isRestored && (
        <p role="status" className={className}>
          <span className="text-13 text-ink-2">{m.common_unsaved_restored()}</span>
        </p>
      )}
      {form.problem !== undefined && <ErrorNote className={className}>{form.problem}</ErrorNote>}
    </>
  )
}
