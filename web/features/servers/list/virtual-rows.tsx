/**
 * Renders only the rows near the visible part of the page. The browser's own search finds only these, so the list has a search field.
 * The focused row stays rendered, so that scrolling away does not lose the focus.
 */
import { defaultRangeExtractor, type Range, useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, type ReactNode, useLayoutEffect, useRef, useState } from 'react'

interface VirtualRowsProps {
  ids: readonly string[]
  /** The height of most rows, in pixels. Rendered rows are measured. */
  rowHeight: number
  /** The index of a row that is rendered wherever it is. */
  keptIndex: number
  children: (index: number, measure: (element: HTMLElement | null) => void) => ReactNode
}

const scroller = () => document.getElementById('main')

/** The distance from the top of the scrolled page. It changes with what is above. */
function useOffset() {
  const body = useRef<HTMLDivElement>(null)
  const [offset, setOffset] = useState(0)
  useLayoutEffect(() => {
    const page = scroller()
    const content = page?.firstElementChild
    if (!page || !content) return undefined
    const observer = new ResizeObserver(() => {
      const { top } = body.current?.getBoundingClientRect() ?? { top: 0 }
      setOffset(Math.round(top - page.getBoundingClientRect().top + page.scrollTop))
    })
    observer.observe(content)
    return () => observer.disconnect()
  }, [])
  return { body, offset }
}

export function VirtualRows({ ids, rowHeight, keptIndex, children }: VirtualRowsProps) {
  const { body, offset } = useOffset()
  // oxlint-disable-next-line react/incompatible-library -- it returns functions that change, and no compiler memoizes them
  const virtualizer = useVirtualizer({
    count: ids.length,
    getScrollElement: scroller,
    estimateSize: () => rowHeight,
    getItemKey: (index) => ids[index] ?? index,
    overscan: 8,
    scrollMargin: offset,
    // The scroll listener runs outside of React's events.
    useFlushSync: false,
    rangeExtractor: (range: Range) => {
      const visible = defaultRangeExtractor(range)
      const isKept = keptIndex >= 0 && keptIndex < ids.length && !visible.includes(keptIndex)
      return isKept ? [...visible, keptIndex].toSorted((a, b) => a - b) : visible
    },
  })
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)
  return (
    <div ref={body} role="rowgroup">
      {items.map((item, position) => (
        <Fragment key={item.key}>
          <Gap height={item.start - (items[position - 1]?.end ?? offset)} />
          {children(item.index, virtualizer.measureElement)}
        </Fragment>
      ))}
      <Gap height={virtualizer.getTotalSize() + offset - (last?.end ?? offset)} />
    </div>
  )
}

/** The room of rows that are not rendered. */
function Gap({ height }: { height: number }) {
  return height > 0 && <div role="presentation" style={{ height }} />
}
