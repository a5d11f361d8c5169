/** Shows the step of the week graph under the pointer, the finger or the arrow keys. */
import { type Language, localeOf } from '#contract/text/panel-languages.ts'

interface Week {
  readonly from: number
  readonly stepMs: number
  readonly top: number
  readonly highest: readonly (number | null)[]
}

const locale = localeOf(document.documentElement.lang as Language)
/** In UTC, as the days of the axis. */
const STEP = new Intl.DateTimeFormat(locale, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
  timeZoneName: 'short',
})
const NUMBER = new Intl.NumberFormat(locale)

/** The start of the chosen step: new data shifts the steps. */
let chosen: number | undefined

const graph = () => document.querySelector<HTMLElement>('[data-graph]')
const cursorOf = (target: EventTarget | null) => (target instanceof HTMLInputElement && 'graphCursor' in target.dataset ? target : null)

export function startWeekGraph(): void {
  const point = (event: PointerEvent) => {
    const plot = (event.target as Element).closest('[data-graph]')?.querySelector('[data-graph-cursor]')?.getBoundingClientRect()
    if (plot === undefined) {
      if (chosen !== undefined && document.activeElement !== graph()?.querySelector('[data-graph-cursor]')) choose(undefined)
      return
    }
    const share = Math.min(0.9999, Math.max(0, (event.clientX - plot.left) / plot.width))
    choose((week) => Math.floor(share * week.highest.length))
  }
  document.addEventListener('pointermove', point)
  document.addEventListener('pointerdown', point)
  document.addEventListener('input', ({ target }) => {
    const cursor = cursorOf(target)
    if (cursor !== null) choose(() => cursor.valueAsNumber)
  })
  document.addEventListener('focusin', ({ target }) => {
    const cursor = cursorOf(target)
    if (cursor?.matches(':focus-visible') === true) choose(() => cursor.valueAsNumber)
  })
  document.addEventListener('focusout', ({ target }) => cursorOf(target) !== null && choose(undefined))
  document.addEventListener('keydown', ({ key, target }) => key === 'Escape' && cursorOf(target) !== null && choose(undefined))
}

function choose(indexIn: ((week: Week) => number) | undefined): void {
  const week = weekOf(graph())
  if (week === undefined) return
  chosen = indexIn === undefined ? undefined : week.from + indexIn(week) * week.stepMs
  showWeekGraph()
}

function weekOf(element: HTMLElement | null): Week | undefined {
  return element === null ? undefined : (JSON.parse(element.dataset['graph'] ?? '') as Week)
}

/** Call again after the page has changed. */
export function showWeekGraph(): void {
  const element = graph()
  const week = weekOf(element)
  const cursor = element?.querySelector<HTMLInputElement>('[data-graph-cursor]')
  const line = element?.querySelector<HTMLElement>('[data-graph-line]')
  const dot = element?.querySelector<HTMLElement>('[data-graph-dot]')
  const text = element?.querySelector<HTMLElement>('[data-graph-text]')
  if (!element || !week || !cursor || !line || !dot || !text) return
  const { from, stepMs, top, highest } = week
  const last = highest.length - 1
  const index = chosen === undefined ? last : Math.round((chosen - from) / stepMs)
  const players = highest[index] ?? null
  const sentence = textOf(element, from + index * stepMs, stepMs, players)
  cursor.valueAsNumber = index
  cursor.setAttribute('aria-valuetext', sentence)
  element.classList.toggle('graph-chosen', chosen !== undefined && index >= 0)
  text.textContent = chosen === undefined ? (text.dataset['graphText'] ?? '') : sentence
  line.style.left = dot.style.left = `${((index + 0.5) / highest.length) * 100}%`
  dot.hidden = players === null
  // As in web/ui/chart/curve.tsx: the line keeps a sixteenth from both edges.
  dot.style.top = `${((15 - ((players ?? 0) / top) * 14) / 16) * 100}%`
}

function textOf({ dataset }: HTMLElement, at: number, stepMs: number, players: number | null): string {
  const value = players === null ? dataset['none'] : dataset['highest']?.replace('{players}', NUMBER.format(players))
  return `${STEP.formatRange(at, at + stepMs)} · ${value ?? ''}`
}
