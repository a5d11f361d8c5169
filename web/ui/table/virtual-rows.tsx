/* oxlint-disable jsx-a11y/no-redundant-roles -- Safari drops the roles of table elements shown as blocks */
/**
 * Renders only the rows near the visible part of the page. The browser's own search finds only these, so the list has a search field.
 * The focused row stays rendered, so that scrolling away does not lose the focus.
 */
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { Fragment, type ReactNode, useState } from 'react'

interface VirtualRowsProps {
  ids: readonly string[]
  /** The height of most rows, in pixels. Rendered rows are measured. */
  rowHeight: number
  keptId: string | undefined
  children: (index: number, measure: (element: HTMLElement | null) => void) => ReactNode
}

const scroller = () => document.getElementById('main')

export function VirtualRows({ ids, rowHeight, keptId, children }: VirtualRowsProps) {
  const [body, setBody] = useState<HTMLElement | null>(null)
  const page = scroller()
  // From the top of the scrolled page. Each scroll measures it again, because it changes with what is above.
  const offset = body && page ? Math.round(body.getBoundingClientRect().top - page.getBoundingClientRect().top + page.scrollTop) : 0
  const keptIndex = keptId === undefined ? -1 : ids.indexOf(keptId)
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
    rangeExtractor: (range) => {
      const visible = defaultRangeExtractor(range)
      return keptIndex === -1 || visible.includes(keptIndex) ? visible : [...visible, keptIndex].toSorted((a, b) => a - b)
    },
  })
  const items = virtualizer.getVirtualItems()
  return (
    <tbody ref={setBody} role="rowgroup" className="block lg:table-row-group">
      {items.map((item, position) => (
        <Fragment key={item.key}>
          <Gap height={item.start - (items[position - 1]?.end ?? offset)} />
          {children(item.index, virtualizer.measureElement)}
        </Fragment>
      ))}
      <Gap height={virtualizer.getTotalSize() + offset - (items.at(-1)?.end ?? offset)} />
    </tbody>
  )
}

/** The room of rows that are not rendered. */
function Gap({ height }: { height: number }) {
  return (
    height > 0 && (
      <tr aria-hidden="true" className="block lg:table-row">
        {/* oxlint-disable-next-line jsx-a11y/control-has-associated-label -- nobody can reach it */}
        <td className="block p-0 lg:table-cell" style={{ height }} />
      </tr>
    )
  )
}
