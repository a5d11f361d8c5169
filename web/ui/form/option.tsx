import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from '#web/ui/class-names.ts'
import { Switch } from '#web/ui/switch.tsx'

interface OptionProps extends Omit<ComponentProps<'input'>, 'title' | 'type'> {
  type: 'checkbox' | 'radio'
  title: ReactNode
  hint?: ReactNode
  icon?: ReactNode
}

/** A radio button, checkbox or switch with a title and a hint; all of it can be clicked. */
export function Option({ title, hint, icon, className, ...input }: OptionProps) {
  const id = useId()
  const { role, ...rest } = input
  const control = {
    ...rest,
    'aria-labelledby': `${id}-title`,
    'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
  }
  return (
    // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its text is two levels down
    <label
      className={cx(
        'flex min-w-0 cursor-pointer items-start gap-3 p-3 transition-colors duration-100 hover:bg-surface-2 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent',
        className,
      )}
    >
      {role === 'switch' ? (
        <Switch {...control} className="mt-1" />
      ) : (
        <input {...control} className="mt-1 size-4 shrink-0 accent-(--accent) outline-none" />
      )}
      <span className="min-w-0 flex-1">
        <span id={`${id}-title`} className="flex flex-wrap items-baseline gap-x-2">
          {title}
        </span>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="block text-13 text-pretty text-ink-2">
            {hint}
          </span>
        )}
      </span>
      {icon}
    </label>
  )
}

interface OptionsProps<V extends string> {
  /** All of them, in the order of the value. */
  keys: readonly V[]
  /** Those shown here. */
  shown?: readonly V[]
  field: { readonly value: readonly V[]; readonly onChange: (value: V[]) => void }
  titleOf: (key: V) => ReactNode
  hintOf: (key: V) => string
  optionClass: string
}

/** A checkbox for each item of a list. */
export function Options<V extends string>({ keys, shown = keys, field, titleOf, hintOf, optionClass }: OptionsProps<V>) {
  const { value, onChange } = field
  return shown.map((key) => (
    <Option
      key={key}
      type="checkbox"
      checked={value.includes(key)}
      onChange={() => onChange(keys.filter((each) => value.includes(each) !== (each === key)))}
      title={titleOf(key)}
      hint={hintOf(key)}
      className={optionClass}
    />
  ))
}
