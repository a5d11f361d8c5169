import type { ReactNode } from 'react'
import { cx } from '#web/ui/class-names.ts'

interface CheckOptionProps {
  isChecked: boolean
  onToggle: () => void
  title: ReactNode
  hint: string
  className: string
}

/** A checkbox with a title and a hint; all of it can be clicked. */
export function CheckOption({ isChecked, onToggle, title, hint, className }: CheckOptionProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its text is two levels down
    <label
      className={cx(
        'flex cursor-pointer gap-3 p-3 transition-colors duration-100 hover:bg-surface-2 has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-accent',
        className,
      )}
    >
      <input type="checkbox" checked={isChecked} onChange={onToggle} className="mt-1 size-4 shrink-0 accent-(--accent) outline-none" />
      <span className="min-w-0">
        <span className="flex flex-wrap items-baseline gap-x-2">{title}</span>
        <span className="block text-13 text-pretty text-ink-2">{hint}</span>
      </span>
    </label>
  )
}
