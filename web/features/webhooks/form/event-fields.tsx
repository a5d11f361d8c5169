import { ChevronDown, ChevronUp } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import {
  DEFAULT_PUBLIC_EVENTS,
  PUBLIC_EVENT_GROUP_KEYS,
  PUBLIC_EVENT_GROUPS,
  PUBLIC_EVENT_TYPES,
  PUBLIC_EVENTS,
  type PublicEventGroup,
  type PublicEventType,
} from '#contract/events/public-events.ts'
import { m } from '#messages'
import { isEqual } from '#web/lib/is-equal.ts'
import { Button } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { FieldError } from '#web/ui/form/field-error.tsx'
import { OfflineField, PlayersField } from './threshold-fields.tsx'
import type { WebhookForm } from './use-webhook-form.ts'
import { inContractOrder } from './webhook-input.ts'

const typesOf = (group: PublicEventGroup) => PUBLIC_EVENT_TYPES.filter((type) => PUBLIC_EVENTS[type].group === group)

export function EventFields({ form }: { form: WebhookForm }) {
  const id = useId()
  const { events } = form.values
  const error = form.errors.events
  const choose = (chosen: readonly PublicEventType[]) => form.change({ events: inContractOrder(chosen) })
  const presets = [
    { label: m.webhooks_form_events_recommended(), types: DEFAULT_PUBLIC_EVENTS },
    { label: m.webhooks_form_events_all(), types: PUBLIC_EVENT_TYPES },
    { label: m.webhooks_form_events_none(), types: [] },
  ]
  return (
    <fieldset data-field="events" aria-describedby={error === undefined ? undefined : `${id}-error`} className="relative min-w-0">
      <legend className="font-medium">{m.webhooks_form_events()}</legend>
      <div className="mt-0.5 mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p role="status" className="text-13 text-ink-2 tabular-nums">
          {m.webhooks_form_selected({ count: events.length, max: PUBLIC_EVENT_TYPES.length })}
        </p>
        <div role="group" aria-label={m.webhooks_form_events_presets()} className="flex flex-wrap">
          {presets.map(({ label, types }) => (
            <Button key={label} variant="quiet" className="px-2" aria-pressed={isEqual(events, types)} onClick={() => choose(types)}>
              {label}
            </Button>
          ))}
        </div>
      </div>
      <div className="divide-y divide-line overflow-hidden rounded-6 border border-line">
        {PUBLIC_EVENT_GROUP_KEYS.map((group, index) => (
          <EventGroup key={group} group={group} form={form} isOpenAtFirst={index === 0} onChoose={choose} />
        ))}
      </div>
      <FieldError id={`${id}-error`}>{error}</FieldError>
    </fieldset>
  )
}

interface EventGroupProps {
  group: PublicEventGroup
  form: WebhookForm
  isOpenAtFirst: boolean
  onChoose: (events: readonly PublicEventType[]) => void
}

function EventGroup({ group, form, isOpenAtFirst, onChoose }: EventGroupProps) {
  const id = useId()
  const [isExpanded, setExpanded] = useState(isOpenAtFirst)
  const { events } = form.values
  // A field with an error must be visible.
  const isOpen = isExpanded || (group === 'server' && (form.errors.offline_amount ?? form.errors.players_above) !== undefined)
  const types = typesOf(group)
  const count = types.filter((type) => events.includes(type)).length
  const name = PUBLIC_EVENT_GROUPS[group]()
  const Icon = isOpen ? ChevronUp : ChevronDown
  const others = events.filter((type) => !types.includes(type))
  return (
    <div>
      <div className="flex items-center hover:bg-surface-2/50">
        <label className="flex min-h-11 shrink-0 cursor-pointer items-center pr-1 pl-3">
          <input
            type="checkbox"
            aria-label={m.webhooks_form_group_all({ group: name })}
            ref={(box) => {
              if (box) box.indeterminate = count > 0 && count < types.length
            }}
            checked={count === types.length}
            onChange={() => onChoose(count === types.length ? others : [...others, ...types])}
            className="size-4 accent-(--accent)"
          />
        </label>
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setExpanded(!isOpen)}
          className="flex min-h-11 min-w-0 flex-1 items-center gap-3 px-3 text-left outline-offset-[-3px]"
        >
          <span className="flex-1 font-medium">{name}</span>
          <span className={cx('text-13 tabular-nums', count === 0 ? 'text-ink-3' : 'text-ink-2')}>
            {m.webhooks_form_group_count({ count, max: types.length })}
          </span>
          <Icon size={16} className="shrink-0 text-ink-3" aria-hidden="true" />
        </button>
      </div>
      {isOpen && (
        <ul id={id} className="grid gap-x-4 border-t border-line py-1.5 sm:grid-cols-2">
          {types.map((type) => (
            <EventCheckbox
              key={type}
              type={type}
              isOn={events.includes(type)}
              onToggle={() => onChoose(events.includes(type) ? events.filter((each) => each !== type) : [...events, type])}
            >
              <EventSetting type={type} form={form} />
            </EventCheckbox>
          ))}
        </ul>
      )}
    </div>
  )
}

/** What some events need to know, below their checkbox. */
function EventSetting({ type, form }: { type: PublicEventType; form: WebhookForm }) {
  if (type === 'server.offline') return <OfflineField form={form} />
  if (type === 'players.threshold' && form.values.events.includes(type)) return <PlayersField form={form} />
  return null
}

interface EventCheckboxProps {
  type: PublicEventType
  isOn: boolean
  onToggle: () => void
  children: ReactNode
}

function EventCheckbox({ type, isOn, onToggle, children }: EventCheckboxProps) {
  const id = useId()
  const { title, description } = PUBLIC_EVENTS[type]
  return (
    <li>
      {/* oxlint-disable-next-line jsx-a11y/label-has-associated-control -- its text is two levels down */}
      <label className="flex cursor-pointer gap-3 px-3 py-2">
        <input
          type="checkbox"
          checked={isOn}
          onChange={onToggle}
          aria-labelledby={`${id}-title`}
          aria-describedby={`${id}-text`}
          className="mt-[3px] size-4 shrink-0 accent-(--accent)"
        />
        <span className="min-w-0">
          <span id={`${id}-title`}>{title()}</span>
          <span id={`${id}-text`} className="block text-13 text-pretty text-ink-3">
            {description()}
          </span>
        </span>
      </label>
      {children}
    </li>
  )
}
