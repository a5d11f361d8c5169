import { type ReactNode, type Ref, useId } from 'react'
import { cx } from './class-names.ts'

interface CardProps {
  title: string
  titleRef?: Ref<HTMLHeadingElement>
  description?: ReactNode
  className?: string
  children: ReactNode
}

export function Card({ title, titleRef, description, className, children }: CardProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} className={cx('card p-5', className)}>
      <h2 id={id} ref={titleRef} tabIndex={-1} className="font-medium outline-none">
        {title}
      </h2>
      {description !== undefined && <p className="mt-0.5 mb-4 text-13 text-pretty text-ink-2">{description}</p>}
      {children}
    </section>
  )
}
