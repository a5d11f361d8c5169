import type { ReactNode } from 'react'

interface ChoiceProps<K extends string> {
  title: ReactNode
  options: readonly { readonly key: K; readonly label: string }[]
  /** Choices with the same name are one: the arrow keys walk through all. */
  name: string
  chosen: string
  onChoose: (key: K) => void
}

/** Radio buttons in a row. */
export function Choice<K extends string>({ title, options, name, chosen, onChoose }: ChoiceProps<K>) {
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-12 text-ink-3">{title}</legend>
      <div className="flex flex-wrap gap-1.5">
        {options.map(({ key, label }) => (
          <label
            key={key}
            className="inline-flex min-h-8 cursor-pointer items-center rounded-6 border border-line px-2.5 text-13 hover:border-line-strong has-checked:border-accent has-checked:bg-surface-2 has-focus-visible:outline-2 has-focus-visible:outline-accent pointer-coarse:min-h-11"
          >
            <input type="radio" name={name} checked={key === chosen} onChange={() => onChoose(key)} className="sr-only" />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
