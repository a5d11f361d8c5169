import { useId } from 'react'
import type { Preferences } from '#contract/users/preferences.ts'
import {
  PUBLIC_EVENT_GROUP_KEYS,
  PUBLIC_EVENT_GROUPS,
  PUBLIC_EVENT_TYPES,
  PUBLIC_EVENTS,
  type PublicEventType,
} from '#contract/events/public-events.ts'
import { m } from '#messages'
import { Card } from '#web/ui/card.tsx'
import { Switch } from '#web/ui/switch.tsx'

/** The inbox has no threshold for players. It has the cause instead of `server.unlisted`. */
const TYPES = PUBLIC_EVENT_TYPES.filter((type) => type !== 'players.threshold' && type !== 'server.unlisted')

/** Each webhook has its own delay, but the inbox has a fixed one. */
const descriptionOf = (type: PublicEventType) =>
  type === 'server.offline' ? m.preferences_notifications_offline() : PUBLIC_EVENTS[type].description()

type Switched = Preferences['notifications']

interface NotificationSwitchesProps {
  value: Switched
  onChange: (change: Partial<Switched>) => void
}

/** A switch for each type of event, by group. */
export function NotificationSwitches({ value, onChange }: NotificationSwitchesProps) {
  return PUBLIC_EVENT_GROUP_KEYS.map((group) => (
    <Card key={group} title={PUBLIC_EVENT_GROUPS[group]()}>
      <ul className="mt-2 -mb-2 divide-y divide-line">
        {TYPES.filter((type) => PUBLIC_EVENTS[type].group === group).map((type) => (
          <NotificationSwitch key={type} type={type} isOn={value[type]} onChange={(isOn) => onChange({ [type]: isOn })} />
        ))}
      </ul>
    </Card>
  ))
}

interface NotificationSwitchProps {
  type: PublicEventType
  isOn: boolean
  onChange: (isOn: boolean) => void
}

function NotificationSwitch({ type, isOn, onChange }: NotificationSwitchProps) {
  const id = useId()
  return (
    <li>
      {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its text is two levels down */}
      <label className="flex cursor-pointer items-center justify-between gap-4 py-2.5">
        <span className="min-w-0">
          <span id={`${id}-title`}>{PUBLIC_EVENTS[type].title()}</span>
          <span id={`${id}-text`} className="block text-13 text-pretty text-ink-2">
            {descriptionOf(type)}
          </span>
        </span>
        <Switch
          aria-labelledby={`${id}-title`}
          aria-describedby={`${id}-text`}
          checked={isOn}
          onChange={({ target }) => onChange(target.checked)}
        />
      </label>
    </li>
  )
}
