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
import { Option } from '#web/ui/form/option.tsx'

/** The inbox has no threshold for players. It has the cause instead of `server.unlisted`. */
const TYPES = PUBLIC_EVENT_TYPES.filter((type) => type !== 'players.threshold' && type !== 'server.unlisted')

/** Each webhook has its own delay, but the inbox has a fixed one. */
const descriptionOf = (type: PublicEventType) =>
  type === 'server.offline' ? m.preferences_notifications_offline() : PUBLIC_EVENTS[type].description()

type Switched = Preferences['notifications']

/** A switch for each type of event, by group. */
export function NotificationSwitches({ value, onChange }: { value: Switched; onChange: (change: Partial<Switched>) => void }) {
  return PUBLIC_EVENT_GROUP_KEYS.map((group) => (
    <Card key={group} title={PUBLIC_EVENT_GROUPS[group]()}>
      <ul className="mt-2 -mb-2 divide-y divide-line">
        {TYPES.filter((type) => PUBLIC_EVENTS[type].group === group).map((type) => (
          <li key={type}>
            <Option
              type="checkbox"
              role="switch"
              aria-checked={value[type]}
              title={PUBLIC_EVENTS[type].title()}
              hint={descriptionOf(type)}
              checked={value[type]}
              onChange={({ target }) => onChange({ [type]: target.checked })}
              className="-mx-3"
            />
          </li>
        ))}
      </ul>
    </Card>
  ))
}
