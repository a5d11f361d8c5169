import { type ReactNode, type Ref, useId } from 'react'
import { cx } from './class-names.ts'

interface CardProps {
  /** For links to the card. */
  id?: string
  title: ReactNode
  titleRef?: Ref<HTMLHeadingElement> | undefined
  description?: ReactNode
  /** Beside the title: a button, a link or a count. */
  aside?: ReactNode
  className?: string
  children?: ReactNode
}

/** @param isList of parts with lines between them */
export function Card({ id, title, titleRef, description, aside, className, isList = false, children }: CardProps & { isList?: boolean }) {
  const ownId = useId()
  const hasGap = description !== undefined && Boolean(children)
  return (
    <section aria-labelledby={id ?? ownId} className={cx('card', isList ? 'divide-y divide-line' : 'p-5', className)}>
      <div className={cx('flex flex-wrap items-center justify-between gap-x-6 gap-y-3', isList ? 'px-5 py-4' : hasGap && 'mb-4')}>
        <div className={cx('min-w-0 flex-1', description !== undefined && 'basis-60')}>
          <h2 id={id ?? ownId} ref={titleRef} tabIndex={-1} className="scroll-mt-10 font-medium outline-none">
            {title}
          </h2>
          {description !== undefined && <p className="mt-0.5 text-13 text-pretty text-ink-2">{description}</p>}
        </div>
        {aside}
      </div>
      {children}
    </section>
  )
}

export function ListCard(props: CardProps) {
  return <Card {...props} isList />
}

/** How many of something there are. */
export function CardCount({ children }: { children: string }) {
  return <span className="shrink-0 text-13 text-ink-3 tabular-nums">{children}</span>
}
