import type { ComponentProps } from 'react'
import { cx } from './class-names.ts'

export function Switch({ className, ...input }: Omit<ComponentProps<'input'>, 'type' | 'role'>) {
  return (
    <input
      {...input}
      type="checkbox"
      // oxlint-disable-next-line jsx-a11y/role-has-required-aria-props -- a checkbox has its own checked state
      role="switch"
      className={cx(
        'relative h-5 w-9 flex-none cursor-pointer appearance-none rounded-10 border border-line-strong bg-surface-0 transition-colors duration-100',
        'before:absolute before:top-0.5 before:left-0.5 before:size-3.5 before:rounded-full before:bg-ink-3 before:transition-transform before:duration-100',
        'checked:border-accent checked:bg-accent checked:before:translate-x-4 checked:before:bg-on-accent',
        className,
      )}
    />
  )
}
