import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import {
  Activity,
  ArrowRightLeft,
  Download,
  Gift,
  History,
  Moon,
  Pencil,
  Plus,
  Search,
  Server as ServerIcon,
  Sun,
  TriangleAlert,
  Users,
  UserX,
} from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import type { Server } from '#contract/servers.ts'
import { m } from '#messages'
import { serverLink } from '#web/features/servers/access.ts'
import { serverListOptions } from '#web/features/servers/servers.api.ts'
import { StatusDot } from '#web/features/servers/status-pill.tsx'
import { messageOf } from '#web/lib/http-error.ts'
import { cx } from '#web/ui/class-names.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { type Command, useAdminCommands, useAdminSearch } from './admin-commands.tsx'
import { chooseTheme, effectiveTheme } from './theme.ts'

function fuzzy(text: string, wanted: string): boolean {
  const letters = text.toLowerCase()
  let at = 0
  for (const letter of wanted.toLowerCase().replaceAll(' ', '')) {
    at = letters.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}

const PAGES = [
  { id: 'servers', text: m.nav_servers(), to: '/servers', Icon: ServerIcon },
  { id: 'new', text: m.nav_new_server(), to: '/servers/new', Icon: Plus },
  { id: 'benefits', text: m.nav_benefits(), to: '/benefits', Icon: Gift },
  { id: 'downloads', text: m.nav_downloads(), to: '/downloads', Icon: Download },
  { id: 'managers', text: m.shell_palette_settings_managers(), to: '/settings/managers', Icon: Users },
  { id: 'transfers', text: m.shell_palette_settings_transfers(), to: '/settings/transfers', Icon: ArrowRightLeft },
  { id: 'activity', text: m.shell_palette_settings_activity(), to: '/settings/activity', Icon: Activity },
  { id: 'delete-account', text: m.shell_palette_settings_delete(), to: '/settings/delete-account', Icon: UserX },
] as const

const SERVER_PARTS = [
  { tab: 'listing', text: m.shell_palette_listing, Icon: Pencil },
  { tab: 'announces', text: m.shell_palette_announces, Icon: History },
  { tab: 'danger', text: m.shell_palette_danger, Icon: TriangleAlert },
] as const

function useCommands(): Command[] {
  const { data: list } = useQuery(serverListOptions)
  const navigate = useNavigate()
  const other = effectiveTheme() === 'dark' ? 'light' : 'dark'
  const open = (server: Server, tab?: 'listing' | 'announces' | 'danger') =>
    void navigate({ to: '/servers/$server_id', params: { server_id: server.public_id }, search: tab ? { tab } : {} })
  const owned = list?.owned ?? []
  return [
    ...PAGES.map(({ id, text, to, Icon }) => ({ id, text, icon: <Icon size={15} />, run: () => void navigate({ to }) })),
    ...owned.map((server) => ({ id: server.public_id, text: server.name, icon: <StatusDot server={server} />, run: () => open(server) })),
    ...(list?.management ?? []).map((server) => ({
      id: server.public_id,
      text: m.shell_palette_managed({ server: server.name, owner: server.owner.discord.username }),
      icon: <StatusDot server={server} />,
      run: () => void navigate({ ...serverLink(server) }),
    })),
    ...owned.flatMap((server) =>
      SERVER_PARTS.map(({ tab, text, Icon }) => ({
        id: `${server.public_id}-${tab}`,
        text: text({ server: server.name }),
        icon: <Icon size={15} />,
        run: () => open(server, tab),
      })),
    ),
    {
      id: 'theme',
      text: other === 'dark' ? m.shell_palette_dark() : m.shell_palette_light(),
      icon: other === 'dark' ? <Moon size={15} /> : <Sun size={15} />,
      run: () => chooseTheme(other),
    },
  ]
}

const SHOWN = 12

/** Commands by name and, for administrators, what the backend finds. */
function useFound(wanted: string, chosen: string | undefined) {
  const commands = [...useCommands(), ...useAdminCommands()].filter(({ text }) => fuzzy(text, wanted))
  const { found, ...looked } = useAdminSearch(wanted)
  // Commands leave room for what the backend found; what is chosen stays.
  const room = found.length > 0 ? SHOWN / 2 : SHOWN
  const named = commands.slice(0, SHOWN).filter(({ id }, index) => index < room || id === chosen)
  return { ...looked, found: [...named, ...found] }
}

/** Typed into the frame's stand-in while the palette was being loaded. */
function typedMeanwhile(): string {
  return document.querySelector<HTMLInputElement>(`input[title="${m.shell_find()}"]`)?.value ?? ''
}

export function CommandPalette({ onClose }: { onClose: () => void }) {
  const [wanted, setWanted] = useState(typedMeanwhile)
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.setSelectionRange(field.current.value.length, field.current.value.length), [])
  // By its id: later results don't take its place.
  const [chosen, setChosen] = useState<string>()
  const id = useId()
  const { found, isLooking, error } = useFound(wanted, chosen)
  const current = found.find((each) => each.id === chosen) ?? found[0]
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
    if (step === undefined) run(current)
    else setChosen(found.at((found.indexOf(current as Command) + step) % Math.max(1, found.length))?.id)
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
            aria-activedescendant={current && `${id}-${current.id}`}
            aria-label={m.shell_palette_placeholder()}
            placeholder={m.shell_palette_placeholder()}
            value={wanted}
            onChange={(event) => {
              setWanted(event.target.value)
              setChosen(undefined)
            }}
            onKeyDown={onKeyDown}
            className="h-10 min-w-0 flex-1 bg-transparent outline-none placeholder:text-ink-3"
          />
        </div>
        <Found id={id} commands={found} current={current} onRun={run} />
        {error && <ErrorNote className="mt-2">{m.shell_palette_incomplete({ error: messageOf(error) })}</ErrorNote>}
        <div role="status">
          {found.length === 0 && !error && (
            <p className="px-2.5 py-4 text-ink-3">{isLooking ? m.shell_palette_searching() : m.shell_palette_none()}</p>
          )}
        </div>
      </div>
    </Dialog>
  )
}

function showInList(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' })
}

interface FoundProps {
  id: string
  commands: readonly Command[]
  current: Command | undefined
  onRun: (command: Command) => void
}

function Found({ id, commands, current, onRun }: FoundProps) {
  return (
    <div id={id} role="listbox" aria-label={m.shell_palette_results()} className="mt-2 max-h-80 overflow-auto">
      {commands.map((command) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the input has the keys and the focus
        <div
          key={command.id}
          id={`${id}-${command.id}`}
          role="option"
          aria-selected={command === current}
          ref={command === current ? showInList : undefined}
          onClick={() => onRun(command)}
          className={cx(
            'flex cursor-pointer items-center gap-2.5 rounded-6 px-2.5 py-2 hover:bg-surface-2',
            command === current && 'bg-surface-2',
          )}
        >
          <span className="flex w-4 shrink-0 justify-center text-ink-3">{command.icon}</span>
          <span className="truncate">{command.text}</span>
          {command.aside !== undefined && (
            <span className="ml-auto max-w-[50%] min-w-0 shrink-0 truncate pl-2 text-12 text-ink-3">{command.aside}</span>
          )}
        </div>
      ))}
    </div>
  )
}
