import { useLayoutEffect, useRef, useState } from 'react'
import { cx } from '#web/ui/class-names.ts'

/** As many tags as fit in one line, followed by the number of hidden ones. */
export function RowTags({ tags }: { tags: readonly string[] }) {
  const line = useRef<HTMLDivElement>(null)
  const [hidden, setHidden] = useState<{ count: number; left: number }>()
  useLayoutEffect(() => {
    const element = line.current
    if (!element) return undefined
    const observer = new ResizeObserver(() => {
      const { left, top } = element.getBoundingClientRect()
      const boxes = Array.from(element.children, (child) => child.getBoundingClientRect())
      const firstLine = boxes.filter((box) => box.top < top + box.height / 2)
      const count = boxes.length - firstLine.length
      setHidden(count === 0 ? undefined : { count, left: (firstLine.at(-1)?.right ?? left) - left + 6 })
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [tags])
  return (
    <div role="cell" className="relative hidden min-w-0 xl:block">
      {/* The padding is room for the number. */}
      <div ref={line} className={cx('flex h-6 flex-wrap gap-1 overflow-hidden', hidden !== undefined && 'pr-7')}>
        {tags.map((tag) => (
          <span key={tag} className="h-6 max-w-full truncate rounded-6 border border-line px-1.5 text-12 leading-[22px] text-ink-2">
            {tag}
          </span>
        ))}
      </div>
      {hidden !== undefined && (
        <span
          aria-hidden="true"
          data-tip={tags.join(', ')}
          style={{ left: hidden.left }}
          className="absolute top-0 text-12 leading-6 text-ink-3 tabular-nums"
        >
          +{hidden.count}
        </span>
      )}
    </div>
  )
}
