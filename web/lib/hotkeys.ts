/** Keyboard shortcuts. They can be switched off (WCAG 2.1.4) and never fire while the user types. */
import { useEffectEvent, useLayoutEffect } from 'react'
import { browserStorage } from './storage.ts'

const OFF_KEY = 'muster.hotkeys-off'
/** The longest time between the keys of a sequence. */
const SEQUENCE_MS = 1000

export function areHotkeysOn(): boolean {
  return browserStorage.read(OFF_KEY) === null
}

export function setHotkeysOn(on: boolean): void {
  browserStorage.write(OFF_KEY, on ? null : '1')
}

/** Inputs that take no text, such as the checkbox of a row. */
const NON_TEXT_TYPES = /^(?:checkbox|radio|range|file|color)$/

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return !NON_TEXT_TYPES.test(target.type)
  return target instanceof HTMLElement && (target.isContentEditable || /^(?:textarea|select)$/i.test(target.tagName))
}

/** Whether a dialog or a menu is open, which then handles the keys. A side panel leaves them to its list. */
function isOverlayOpen(): boolean {
  return document.querySelector('[role=menu], [role=alertdialog], [role=dialog]:not([data-side-panel])') !== null
}

/** Runs commands by key: `n`, a sequence such as `g s`, or `mod+k` (Ctrl or Cmd). `mod` also works in dialogs. */
export function useHotkeys(commands: Readonly<Record<string, () => void>>): void {
  const onKey = useEffectEvent((event: KeyboardEvent, previousKey: string) => {
    // A browser that fills in a field sends an event without a key.
    const key = (event.key as string | undefined)?.toLowerCase()
    if (key === undefined || event.defaultPrevented || event.isComposing || event.altKey) return ''
    if (event.ctrlKey || event.metaKey) return run(event, commands[`mod+${key}`])
    if (isTyping(event.target) || !areHotkeysOn() || isOverlayOpen()) return ''
    const command = commands[`${previousKey} ${key}`] ?? commands[key]
    return command ? run(event, command) : key
  })
  // Together with the page: an effect runs after its paint, and would lose a key that is pressed in between.
  useLayoutEffect(() => {
    let previousKey = ''
    let previousAt = 0
    const listen = (event: KeyboardEvent) => {
      previousKey = onKey(event, event.timeStamp - previousAt < SEQUENCE_MS ? previousKey : '')
      previousAt = event.timeStamp
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

function run(event: KeyboardEvent, command: (() => void) | undefined): '' {
  if (command) {
    event.preventDefault()
    command()
  }
  return ''
}
