import { type ReactNode, type Ref, useId } from 'react'
import { cx } from './class-names.ts'

interface CardProps {
  title: string
  /** For a heading that takes the focus from what goes. */
  titleRef?: Ref<HTMLHeadingElement>
  below?: ReactNode
  className?: string
  children: ReactNode
}

export function Card({ title, titleRef, below, className, children }: CardProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={cx('card p-5', className)}>
      <h2 id={id} ref={titleRef} tabIndex={titleRef ? -1 : undefined} className="font-medium outline-none">
        {title}
      </h2>
      {below !== undefined && <p className="mt-0.5 mb-4 text-13 text-pretty text-ink-2">{below}</p>}
      {children}
    </section>
  )
}
