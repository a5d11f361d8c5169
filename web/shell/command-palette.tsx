import { Command as Cmdk } from 'cmdk'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { m } from '#messages'
import { messageOf } from '#web/lib/http/call.ts'
import { Dialog } from '#web/ui/dialog/dialog.tsx'
import { ErrorNote } from '#web/ui/states.tsx'
import { type Command, useAdminSearch, useCommands } from './commands.tsx'
import { rankCommands } from './rank-commands.ts'

const MAX_RESULTS = 12

/** Matching commands and, for administrators, search results from the backend. */
function useResults(input: string, selectedId: string) {
  const commands = rankCommands(useCommands(), input)
  const { results, ...search } = useAdminSearch(input)
  // Commands leave room for search results, but the selected one stays.
  const maxCommands = results.length > 0 ? MAX_RESULTS / 2 : MAX_RESULTS
  const shownCommands = commands.slice(0, MAX_RESULTS).filter(({ id }, index) => index < maxCommands || id === selectedId)
  return { ...search, results: [...shownCommands, ...results] }
}

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [input, setInput] = useState('')
  const [selectedId, setSelectedId] = useState('')
  const { results, isSearching, error } = useResults(input, selectedId)
  const run = (command: Command) => {
    onClose()
    command.run()
  }
  return (
    <Dialog title={<span className="sr-only">{m.shell_find()}</span>} onDismiss={onClose}>
      <Cmdk
        label={m.shell_palette_placeholder()}
        // The results are ranked already.
        shouldFilter={false}
        vimBindings={false}
        loop
        value={selectedId}
        onValueChange={setSelectedId}
        className="-mx-1 -mt-3 sm:-mx-2"
      >
        <div className="flex items-center gap-2 border-b border-line pb-2">
          <Search size={16} className="ml-2 shrink-0 text-ink-3" aria-hidden="true" />
          <Cmdk.Input
            placeholder={m.shell_palette_placeholder()}
            value={input}
            onValueChange={setInput}
            className="h-10 min-w-0 flex-1 bg-transparent outline-none placeholder:text-ink-3"
          />
        </div>
        <Cmdk.List label={m.shell_palette_results()} className="mt-2 max-h-80 overflow-auto">
          {results.map((command) => (
            <Result key={command.id} command={command} onRun={() => run(command)} />
          ))}
        </Cmdk.List>
        {error && <ErrorNote className="mt-2">{m.shell_palette_incomplete({ error: messageOf(error) })}</ErrorNote>}
        <div role="status">
          {results.length === 0 && !error && (
            <p className="px-2.5 py-4 text-ink-3">{isSearching ? m.shell_palette_searching() : m.shell_palette_none()}</p>
          )}
        </div>
      </Cmdk>
    </Dialog>
  )
}

function Result({ command: { id, icon, text, detail }, onRun }: { command: Command; onRun: () => void }) {
  return (
    <Cmdk.Item
      value={id}
      onSelect={onRun}
      className="flex cursor-pointer items-center gap-2.5 rounded-6 px-2.5 py-2 hover:bg-surface-2 aria-selected:bg-surface-2"
    >
      <span className="flex min-w-5 shrink-0 justify-center text-ink-3">{icon}</span>
      <span className="truncate">{text}</span>
      {detail !== undefined && <span className="ml-auto max-w-[50%] min-w-0 shrink-0 truncate pl-2 text-12 text-ink-3">{detail}</span>}
    </Cmdk.Item>
  )
}
