import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import uPlot from 'uplot'
import { useTimeZone } from '#web/lib/time.ts'
import 'uplot/dist/uPlot.min.css'
import './chart.css'
import type { ChartData } from './chart-data.ts'
import { addMarks } from './chart-marks.ts'
import { CHART_HEIGHT, themeColours, optionsFor } from './chart-options.ts'

interface ChartPlotProps {
  data: ChartData
  /** The step under the cursor. */
  at: number | null
  /** Must be stable, because a new function recreates the plot. */
  onPoint: (index: number | null) => void
}

/** A counter that changes with the theme, to redraw the plot. Paper is always light. */
function useThemeChanges(): number {
  const [themeChanges, setThemeChanges] = useState(0)
  useEffect(() => {
    const redraw = () => setThemeChanges((count) => count + 1)
    const observer = new MutationObserver(redraw)
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    const print = matchMedia('print')
    print.addEventListener('change', redraw)
    return () => {
      observer.disconnect()
      print.removeEventListener('change', redraw)
    }
  }, [])
  return themeChanges
}

export function ChartPlot({ data, at, onPoint }: ChartPlotProps) {
  const container = useRef<HTMLDivElement>(null)
  const updateCursor = useRef<() => void>(undefined)
  const time = at === null ? undefined : data.times[at]
  const cursorTime = useRef(time)
  const theme = useThemeChanges()
  const zone = useTimeZone()
  useLayoutEffect(() => {
    const element = container.current
    if (!element) return undefined
    const values = data.lines.map((line) => [...line.values])
    const plot = new uPlot(optionsFor(data, element.clientWidth, themeColours(element)), [[...data.times], ...values], element)
    // uPlot computes its scales in a microtask.
    const update = () => queueMicrotask(() => moveCursor(plot, cursorTime.current))
    updateCursor.current = update
    update()
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === 0 || element.clientWidth === plot.width) return
      plot.setSize({ width: element.clientWidth, height: CHART_HEIGHT })
      update()
    })
    observer.observe(element)
    listenToPointer(plot, onPoint)
    addMarks(plot, data)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [data, theme, zone, onPoint])
  useLayoutEffect(() => {
    cursorTime.current = time
    updateCursor.current?.()
  }, [time])
  return <div ref={container} className="chart-plot h-56" />
}

function moveCursor(plot: uPlot, time: number | undefined): void {
  plot.setCursor(time === undefined ? { left: -10, top: -10 } : { left: plot.valToPos(time, 'x'), top: 0 }, false)
}

/** Touch can scroll the page vertically. The touched step stays selected. */
function listenToPointer(plot: uPlot, onPoint: (index: number | null) => void): void {
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
