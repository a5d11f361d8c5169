import { Link, type LinkProps } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#web/ui/class-names.ts'

/** Entries of the rail. In the bottom bar, icons are above their labels, so that they fit beside the account menu. */
export const NAV_ITEM =
  'relative flex min-h-9 items-center gap-2.5 rounded-6 px-2.5 text-14 text-ink-2 transition-colors duration-100 hover:bg-surface-2 hover:text-ink-1 pointer-coarse:min-h-11 max-sm:h-12 max-sm:flex-auto max-sm:flex-col max-sm:justify-center max-sm:gap-0.5 max-sm:min-w-0 max-sm:overflow-hidden max-sm:px-0 max-sm:text-12'
/** In the bottom bar, only labels that fit whole: a longer one wraps below the empty first item of its line, out of sight. */
const NAV_LABEL =
  "lg:flex-1 sm:max-lg:sr-only max-sm:flex max-sm:h-4 max-sm:w-full max-sm:flex-wrap max-sm:justify-center max-sm:overflow-hidden max-sm:tracking-[-0.03em] max-sm:whitespace-nowrap max-sm:before:h-4 max-sm:before:content-['']"
export const NAV_ACTIVE = 'bg-surface-2 text-ink-1 font-medium'

interface NavContentProps {
  Icon: LucideIcon
  label: string
  /** After the label, such as a count. */
  children?: ReactNode
}

export function NavContent({ Icon, label, children }: NavContentProps) {
  return (
    <>
      <Icon size={17} className="shrink-0" aria-hidden="true" />
      <span className={NAV_LABEL}>{label}</span>
      {children}
    </>
  )
}

interface NavLinkProps extends NavContentProps, Pick<LinkProps, 'to' | 'activeOptions'> {
  'aria-label'?: string
  className?: string | undefined
}

/** Highlighted on its page and the pages below it. */
export function NavLink({ to, activeOptions, className, 'aria-label': name, ...content }: NavLinkProps) {
  return (
    <Link
      to={to}
      {...(activeOptions && { activeOptions })}
      activeProps={{ className: NAV_ACTIVE }}
      aria-label={name}
      className={cx(NAV_ITEM, className)}
    >
      <NavContent {...content} />
    </Link>
  )
}
