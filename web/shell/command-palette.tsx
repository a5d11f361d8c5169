import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/http-error.ts'
import { cx } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { type Command, useAdminCommands, useAdminSearch } from './admin-commands.tsx'
import { useCommands } from './commands.tsx'
import { rankCommands } from './rank-commands.ts'

const MAX_RESULTS = 12

/** Matching commands and, for administrators, search results from the backend. */
function useResults(input: string, selectedId: string | undefined) {
  const commands = rankCommands([...useCommands(), ...useAdminCommands()], input)
  const { results, ...search } = useAdminSearch(input)
  // Commands leave room for search results, but the selected one stays.
  const maxCommands = results.length > 0 ? MAX_RESULTS / 2 : MAX_RESULTS
  const shownCommands = commands.slice(0, MAX_RESULTS).filter(({ id }, index) => index < maxCommands || id === selectedId)
  return { ...search, results: [...shownCommands, ...results] }
}

/** The text in the placeholder dialog (frame.tsx), typed while the palette was loading. */
function typedWhileLoading(): string {
  return document.querySelector<HTMLInputElement>(`input[title="${m.shell_find()}"]`)?.value ?? ''
}

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [input, setInput] = useState(typedWhileLoading)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.setSelectionRange(field.current.value.length, field.current.value.length), [])
  // An ID, not an index, because results arrive later.
  const [selectedId, setSelectedId] = useState<string>()
  const id = useId()
  const { results, isSearching, error } = useResults(input, selectedId)
  const selected = results.find((result) => result.id === selectedId) ?? results[0]
  const run = (command: Command | undefined) => {
    if (!command) return
    onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined && event.key !== 'Enter') return
    event.preventDefault()
    if (step === undefined) run(selected)
    else setSelectedId(results.at((results.indexOf(selected as Command) + step) % Math.max(1, results.length))?.id)
  }
  return (
    <Dialog title={<span className="sr-only">{m.shell_find()}</span>} onDismiss={onClose}>
      <div className="-mx-1 -mt-3 sm:-mx-2">
        <div className="flex items-center gap-2 border-b border-line pb-2">
          <Search size={16} className="ml-2 shrink-0 text-ink-3" aria-hidden="true" />
          <input
            ref={field}
            data-focus-first
            role="combobox"
            aria-expanded="true"
            aria-controls={id}
            aria-activedescendant={selected && `${id}-${selected.id}`}
            aria-label={m.shell_palette_placeholder()}
            placeholder={m.shell_palette_placeholder()}
            value={input}
            onChange={(event) => {
              setInput(event.target.value)
              setSelectedId(undefined)
            }}
            onKeyDown={onKeyDown}
            className="h-10 min-w-0 flex-1 bg-transparent outline-none placeholder:text-ink-3"
          />
        </div>
        <ResultList id={id} commands={results} selected={selected} onRun={run} />
        {error && <ErrorNote className="mt-2">{m.shell_palette_incomplete({ error: messageOf(error) })}</ErrorNote>}
        <div role="status">
          {results.length === 0 && !error && (
            <p className="px-2.5 py-4 text-ink-3">{isSearching ? m.shell_palette_searching() : m.shell_palette_none()}</p>
          )}
        </div>
      </div>
    </Dialog>
  )
}

function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' })
}

interface ResultListProps {
  id: string
  commands: readonly Command[]
  selected: Command | undefined
  onRun: (command: Command) => void
}

function ResultList({ id, commands, selected, onRun }: ResultListProps) {
  return (
    <div id={id} role="listbox" aria-label={m.shell_palette_results()} className="mt-2 max-h-80 overflow-auto">
      {commands.map((command) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the input has the keys and the focus
        <div
          key={command.id}
          id={`${id}-${command.id}`}
          role="option"
          aria-selected={command === selected}
          ref={command === selected ? scrollIntoView : undefined}
          onClick={() => onRun(command)}
          className={cx(
            'flex cursor-pointer items-center gap-2.5 rounded-6 px-2.5 py-2 hover:bg-surface-2',
            command === selected && 'bg-surface-2',
          )}
        >
          <span className="flex min-w-5 shrink-0 justify-center text-ink-3">{command.icon}</span>
          <span className="truncate">{command.text}</span>
          {command.detail !== undefined && (
            <span className="ml-auto max-w-[50%] min-w-0 shrink-0 truncate pl-2 text-12 text-ink-3">{command.detail}</span>
          )}
        </div>
      ))}
    </div>
  )
}
