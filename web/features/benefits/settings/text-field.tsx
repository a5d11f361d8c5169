import type { ComponentProps, ReactNode } from 'react'
import { cx } from '#web/ui/class-names.ts'
import { Field } from '#web/ui/form/field.tsx'
import type { LauncherValues, TextName } from './form-values.ts'
import type { SettingsForm } from './use-settings-form.ts'

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'form' | 'name' | 'onChange'> {
  form: SettingsForm<LauncherValues>
  name: TextName
  label: string
  hint: string
  aside?: ReactNode
  normalize?: (text: string) => string
  before?: ReactNode
  after?: ReactNode
}

export function TextField({ form, name, label, hint, aside, normalize, before, after, className, ...input }: TextFieldProps) {
  return (
    <div data-field={name}>
      <Field label={label} optional hint={hint} aside={aside} error={form.errors[name]}>
        {(control) => (
          <div className="flex gap-2">
            {before}
            <input
              {...control}
              autoComplete="off"
              value={form.values[name]}
              onChange={({ target: { value } }) => form.change({ [name]: normalize ? normalize(value) : value })}
              onBlur={() => form.touch(name)}
              {...input}
              className={cx('field-input', className)}
            />
            {after}
          </div>
        )}
      </Field>
    </div>
  )
}
