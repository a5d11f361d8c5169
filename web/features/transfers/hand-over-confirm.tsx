import { Check, Minus } from 'lucide-react'
import type { ReactNode } from 'react'
import { SETTINGS_KEYS, type SettingsKey } from '#contract/benefits.ts'
import type { Server } from '#contract/servers.ts'
import type { Me, PublicUser } from '#contract/users.ts'
import { TypedName } from '#web/ui/form/typed-name.tsx'
import { useDressOf } from './transfers.api.ts'

interface HandOverConfirmProps {
  server: Server
  me: Me
  person: PublicUser
  typed: string
  isRight: boolean
  onTyped: (text: string) => void
}

/** What the other one gets, what is lost on the way, and the name to type. */
export function HandOverConfirm({ server, me, person, typed, isRight, onTyped }: HandOverConfirmProps) {
  const dress = useDressOf(server.public_id)
  return (
    <>
      <div className="mt-5 grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Part title={`What ${person.discord.username} gets`} icon={<Check size={15} className="mt-0.5 shrink-0 text-ok" />}>
          {kept(server)}
        </Part>
        <Part title="What is lost" icon={<Minus size={15} className="mt-0.5 shrink-0 text-danger" />}>
          {lost(server, me, dress)}
        </Part>
      </div>
      {server.live && (
        <p className="mt-4 text-13 text-pretty text-ink-2">
          The server is online now. When the offer is accepted it leaves the list, until it announces with a new credential.
        </p>
      )}
      <div className="mt-5">
        <TypedName
          name={server.name}
          value={typed}
          onChange={onTyped}
          isRight={isRight}
          wrong={`That is not the server’s name: ${server.name}`}
        />
      </div>
    </>
  )
}

function Part({ title, icon, children }: { title: string; icon: ReactNode; children: readonly string[] }) {
  return (
    <section>
      <h3 className="text-13 font-medium [overflow-wrap:anywhere]">{title}</h3>
      <ul className="mt-2 space-y-1.5 text-13 text-ink-2">
        {children.map((text) => (
          <li key={text} className="flex gap-2">
            <span aria-hidden="true">{icon}</span>
            <span className="min-w-0 [overflow-wrap:anywhere]">{text}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function kept(server: Server): string[] {
  const onlyWith = (what: string) => `${what}, as far as their own benefits allow it`
  return [
    `The server with its id ${server.public_id}, its name and its listing`,
    ...(server.vanity_url === null ? [] : [onlyWith(`The vanity id ${server.vanity_url}`)]),
    ...(server.icon_image_id === null ? [] : [onlyWith('Its icon')]),
    ...(server.promoted ? [onlyWith('Its promotion')] : []),
  ]
}

const DRESS = {
  CUSTOM_BANNER: 'banner',
  CUSTOM_JOIN_BACKGROUND: 'join background',
  CUSTOM_LAUNCHER: 'launcher',
} as const satisfies Record<SettingsKey, string>

/** What its owner has set for it. Where that is not known, all that there is. */
function undressed(keys: readonly SettingsKey[] | undefined): string[] {
  if (keys?.length === 0) return []
  const names = inWords((keys ?? SETTINGS_KEYS).map((key) => DRESS[key]))
  return [keys ? `Your ${names}: players no longer see ${keys.length === 1 ? 'it' : 'them'} here` : `Your ${names}, where they are for it`]
}

/** `a`, `a and b`, `a, b and c`. */
function inWords(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

function lost(server: Server, me: Me, dress: readonly SettingsKey[] | undefined): string[] {
  const managers = me.gived_managements.length
  return [
    'Your access to it, all of it',
    ...(server.credential_hint === '' ? [] : ['The credential: it ends, and only the new owner can make another']),
    ...(server.bound_address === null ? [] : [`The bound address ${server.bound_address}`]),
    ...(server.status === 'never_seen' ? [] : ['Its announces: the new owner does not see from where you ran it']),
    ...(server.group === null ? [] : [`Its place in your group ${server.group.name}`]),
    ...undressed(dress),
    ...(managers === 0 ? [] : [managers === 1 ? 'Your manager’s access to it' : `The access of your ${managers} managers to it`]),
  ]
}
