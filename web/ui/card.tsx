import { type ReactNode, type Ref, useId } from 'react'
import { cx } from './class-names.ts'

interface HeaderProps {
  title: ReactNode
  titleRef?: Ref<HTMLHeadingElement> | undefined
  description?: ReactNode
  /** Beside the title: a button, a link or a count. */
  aside?: ReactNode
}

interface CardProps extends HeaderProps {
  className?: string
  children?: ReactNode
}

export function Card({ className, children, ...header }: CardProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={cx('card p-5', className)}>
      <Header id={id} {...header} className={header.description !== undefined && children ? 'mb-4' : ''} />
      {children}
    </section>
  )
}

interface ListCardProps extends HeaderProps {
  /** For links to the card. */
  id?: string
  children: ReactNode
}

/** A card of parts with lines between them, such as a list. */
export function ListCard({ id, children, ...header }: ListCardProps) {
  const ownId = useId()
  return (
    <section aria-labelledby={id ?? ownId} className="card divide-y divide-line">
      <Header id={id ?? ownId} {...header} className="px-5 py-4" />
      {children}
    </section>
  )
}

function Header({ id, title, titleRef, description, aside, className }: HeaderProps & { id: string; className: string }) {
  return (
    <div className={cx('flex flex-wrap items-center justify-between gap-x-6 gap-y-3', className)}>
      <div className={cx('min-w-0 flex-1', description !== undefined && 'basis-60')}>
        <h2 id={id} ref={titleRef} tabIndex={-1} className="scroll-mt-10 font-medium outline-none">
          {title}
        </h2>
        {description !== undefined && <p className="mt-0.5 text-13 text-pretty text-ink-2">{description}</p>}
      </div>
      {aside}
    </div>
  )
}

/** How many of something there are. */
export function CardCount({ children }: { children: string }) {
  return <span className="shrink-0 text-13 text-ink-3 tabular-nums">{children}</span>
}
