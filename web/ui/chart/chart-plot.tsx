/** Loaded on demand: the library is as heavy as a fifth of the first page. */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import './chart.css'
import type { ChartData } from './chart-data.ts'
import { CHART_HEIGHT, themeColors, optionsFor } from './chart-options.ts'

interface ChartPlotProps {
  data: ChartData
  /** The step under the cursor. */
  at: number | null
  /** Has to stay the same function. */
  onPoint: (index: number | null) => void
}

/** Another theme needs another drawing. */
function useThemeChanges(): number {
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    const observer = new MutationObserver(() => setChanges((before) => before + 1))
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    return () => observer.disconnect()
  }, [])
  return changes
}

export function ChartPlot({ data, at, onPoint }: ChartPlotProps) {
  const place = useRef<HTMLDivElement>(null)
  const drawn = useRef<() => void>(undefined)
  const time = at === null ? undefined : data.times[at]
  const pointedAt = useRef(time)
  const theme = useThemeChanges()
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return undefined
    const values = data.lines.map((line) => [...line.values])
    const plot = new uPlot(optionsFor(data, element.clientWidth, themeColors(element)), [[...data.times], ...values], element)
    // The library knows its scales once its caller is done.
    const mark = () => queueMicrotask(() => markTime(plot, pointedAt.current))
    drawn.current = mark
    mark()
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === 0 || element.clientWidth === plot.width) return
      plot.setSize({ width: element.clientWidth, height: CHART_HEIGHT })
      mark()
    })
    observer.observe(element)
    pointing(plot, onPoint)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [data, theme, onPoint])
  useLayoutEffect(() => {
    pointedAt.current = time
    drawn.current?.()
  }, [time])
  return <div ref={place} className="chart-plot h-56" />
}

function markTime(plot: uPlot, time: number | undefined): void {
  plot.setCursor(time === undefined ? { left: -10, top: -10 } : { left: plot.valToPos(time, 'x'), top: 0 }, false)
}

/** A finger may scroll the page up and down; the step it pointed at stays. */
function pointing(plot: uPlot, onPoint: (index: number | null) => void): void {
  const { over } = plot
  const point = ({ clientX }: PointerEvent) => {
    const { left, width } = over.getBoundingClientRect()
    onPoint(plot.posToIdx(Math.min(width, Math.max(0, clientX - left))))
  }
  const leave = ({ pointerType }: PointerEvent) => {
    if (pointerType !== 'touch') onPoint(null)
  }
  over.addEventListener('pointerdown', point)
  over.addEventListener('pointermove', point)
  over.addEventListener('pointerleave', leave)
}
