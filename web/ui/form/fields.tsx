/** Fields of a form: each has its label, hint and error, and knows its value by its name. */
import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { type Control, type ControllerRenderProps, type FieldValues, type Path, useController } from 'react-hook-form'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { Switch } from '#web/ui/switch.tsx'
import { firstMessage } from './form-errors.ts'

interface Named<T extends FieldValues> {
  form: { readonly control: Control<T> }
  name: Path<T>
}

interface Labelled {
  label: ReactNode
  hint?: ReactNode
  aside?: ReactNode
  optional?: boolean | undefined
}

type FieldState<T extends FieldValues, N extends Path<T>> = ControllerRenderProps<T, N> & { readonly error: string | undefined }

/** The value of a field, its error, and what its control needs. */
export function useField<T extends FieldValues, N extends Path<T>>(form: { control: Control<T> }, name: N): FieldState<T, N> {
  const { field, fieldState } = useController({ control: form.control, name })
  return { ...field, error: firstMessage(fieldState.error) }
}

type TextFieldProps<T extends FieldValues> = Named<T> &
  Labelled &
  Omit<ComponentProps<'input'>, 'form' | 'name'> & {
    /** More than one row is a textarea. */
    rows?: number
    /** Shows how many code points of it are used. */
    max?: number | undefined
    /** The problem of a form with no other field. */
    error?: string | undefined
    /** Converts what the user types. */
    normalize?: (text: string) => string | null
    before?: ReactNode
    after?: ReactNode
  }

export function TextField<T extends FieldValues>(props: TextFieldProps<T>) {
  const { form, name, label, hint, aside, optional, rows = 1, max, error: problem, normalize, before, after, className, ...input } = props
  const { value, error = problem, onChange, ...field } = useField(form, name)
  const text = String(value ?? '')
  const Input = (rows > 1 ? 'textarea' : 'input') as 'input'
  return (
    <Field {...{ label, hint, error, optional }} aside={aside ?? (max === undefined ? undefined : `${Array.from(text).length} / ${max}`)}>
      {(control) => (
        <div className={before || after ? 'relative flex flex-wrap gap-2' : undefined}>
          {before}
          <Input
            {...control}
            {...field}
            autoComplete="off"
            {...(rows > 1 && { rows })}
            {...input}
            value={text}
            onChange={({ target }) => onChange(normalize ? normalize(target.value) : target.value)}
            className={cx('field-input', rows > 1 && 'resize-y', className)}
          />
          {after}
        </div>
      )}
    </Field>
  )
}

type NumberFieldProps<T extends FieldValues> = Named<T> &
  Labelled &
  Omit<ComponentProps<typeof NumberInput>, 'form' | 'name' | 'value' | 'onChange'>

export function NumberField<T extends FieldValues>(props: NumberFieldProps<T>) {
  const { form, name, label, hint, aside, optional, ...input } = props
  const { error, ...field } = useField(form, name)
  return <Field {...{ label, hint, aside, error, optional }}>{(control) => <NumberInput {...control} {...input} {...field} />}</Field>
}

export interface ChoiceProps<T extends FieldValues> extends Labelled, Named<T> {}

type SelectFieldProps<T extends FieldValues> = ChoiceProps<T> &
  Omit<ComponentProps<'select'>, 'form' | 'name'> & {
    /** The empty option is null. */
    isNullable?: boolean
    after?: ReactNode
  }

export function SelectField<T extends FieldValues>(props: SelectFieldProps<T>) {
  const { form, name, label, hint, aside, optional, isNullable = false, after, className, ...select } = props
  const { value, error, onChange, ...field } = useField(form, name)
  return (
    <Field {...{ label, hint, aside, error, optional }}>
      {(control) => (
        <div className={after ? 'flex flex-wrap gap-2' : undefined}>
          <select
            {...control}
            {...field}
            {...select}
            value={value ?? ''}
            onChange={({ target }) => onChange(isNullable && target.value === '' ? null : target.value)}
            className={cx('field-input', className)}
          />
          {after}
        </div>
      )}
    </Field>
  )
}

/** A switch with its label and a hint. */
export function SwitchField<T extends FieldValues>({ form, name, label, hint }: Named<T> & Labelled) {
  const { value, error, ...field } = useField(form, name)
  const errorId = useId()
  return (
    <div className="relative">
      {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- the switch is its control */}
      <label className="flex cursor-pointer items-start gap-3">
        <Switch
          {...field}
          checked={value === true}
          aria-invalid={error === undefined ? undefined : true}
          aria-describedby={errorId}
          className="mt-0.5"
        />
        <span className="min-w-0">
          <span className="block text-13 font-medium">{label}</span>
          <span className="block text-13 [overflow-wrap:anywhere] text-ink-3">{hint}</span>
        </span>
      </label>
      <FieldError id={errorId}>{error}</FieldError>
    </div>
  )
}

interface FieldGroupProps {
  legend: ReactNode
  error?: string | undefined
  className?: string
  children: ReactNode
}

/** Controls with one value, such as checkboxes. The error belongs to all of them. */
export function FieldGroup({ legend, error, className = 'mb-1.5 text-13', children }: FieldGroupProps) {
  const errorId = useId()
  return (
    <fieldset data-invalid={error === undefined ? undefined : ''} aria-describedby={errorId} className="relative min-w-0">
      <legend className={cx('font-medium [overflow-wrap:anywhere]', className)}>{legend}</legend>
      {children}
      <FieldError id={errorId}>{error}</FieldError>
    </fieldset>
  )
}

interface NumberInputProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange'> {
  value: number | null
  onChange: (value: number | null) => void
  /** The value of an empty input: NaN, which no schema accepts, or null. */
  empty?: number | null
}

/** An input whose value is a number. */
export function NumberInput({ value, onChange, empty = NaN, className, ...props }: NumberInputProps) {
  return (
    <input
      autoComplete="off"
      {...props}
      type="number"
      inputMode="numeric"
      value={value === null || Number.isNaN(value) ? '' : value}
      onChange={({ target }) => onChange(target.value === '' && !target.validity.badInput ? empty : target.valueAsNumber)}
      className={cx('field-input tabular-nums', className)}
    />
  )
}

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

interface FieldErrorProps {
  /** For the control's `aria-describedby`. */
  id: string
  children: string | undefined
  /** Shown if there is no error. */
  hint?: ReactNode
  /** Like `hint`, but for screen readers only. */
  announcement?: string
}

export function FieldError({ id, children, hint, announcement }: FieldErrorProps) {
  if (children === undefined) {
    return (
      <p id={id} aria-live="polite" className={hint === undefined ? 'sr-only' : 'mt-1.5 text-13 text-ink-3'}>
        {hint ?? announcement}
      </p>
    )
  }
  return (
    <p id={id} aria-live="polite" className="mt-1.5 flex gap-1.5 text-13 text-danger">
      <CircleAlert size={14} className="mt-[3px] shrink-0" aria-hidden="true" />
      <span className="min-w-0 [overflow-wrap:anywhere]">{children}</span>
    </p>
  )
}
