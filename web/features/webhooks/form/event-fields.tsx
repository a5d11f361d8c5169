import { ChevronDown, ChevronUp } from 'lucide-react'
import { useId, useState } from 'react'
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
import { Field } from '#web/ui/form/field.tsx'
import { FieldGroup, NumberField, useField } from '#web/ui/form/fields.tsx'
import { Option } from '#web/ui/form/option.tsx'
import { NumberInput } from '#web/ui/form/number-input.tsx'
import type { Form } from '#web/ui/form/form-options.ts'
import { inContractOrder, type Unit, UNIT_KEYS, UNITS, unitOf, type WebhookInput } from './webhook-form.ts'

const typesOf = (group: PublicEventGroup) => PUBLIC_EVENT_TYPES.filter((type) => PUBLIC_EVENTS[type].group === group)

interface FieldProps {
  form: Form<WebhookInput>
}

export function EventFields({ form }: FieldProps) {
  const { events } = form.values
  const { error } = useField(form, 'events')
  const choose = (chosen: readonly PublicEventType[]) => form.change({ events: inContractOrder(chosen) })
  const presets = [
    { label: m.webhooks_form_events_recommended(), types: DEFAULT_PUBLIC_EVENTS },
    { label: m.webhooks_form_events_all(), types: PUBLIC_EVENT_TYPES },
    { label: m.webhooks_form_events_none(), types: [] },
  ]
  return (
    <FieldGroup legend={m.webhooks_form_events()} error={error} className="">
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
    </FieldGroup>
  )
}

interface EventGroupProps extends FieldProps {
  group: PublicEventGroup
  isOpenAtFirst: boolean
  onChoose: (events: readonly PublicEventType[]) => void
}

function EventGroup({ group, form, isOpenAtFirst, onChoose }: EventGroupProps) {
  const id = useId()
  const [isExpanded, setExpanded] = useState(isOpenAtFirst)
  const { events } = form.values
  const silence = useField(form, 'offline_after_seconds')
  const players = useField(form, 'players_above')
  // A field with an error must be visible.
  const isOpen = isExpanded || (group === 'server' && (silence.error ?? players.error) !== undefined)
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
      {isOpen && <EventList id={id} types={types} form={form} onChoose={onChoose} />}
    </div>
  )
}

interface EventListProps extends Pick<EventGroupProps, 'form' | 'onChoose'> {
  id: string
  types: readonly PublicEventType[]
}

function EventList({ id, types, form, onChoose }: EventListProps) {
  const { events } = form.values
  return (
    <ul id={id} className="grid gap-x-4 border-t border-line py-1.5 sm:grid-cols-2">
      {types.map((type) => (
        <li key={type}>
          <Option
            type="checkbox"
            checked={events.includes(type)}
            onChange={() => onChoose(events.includes(type) ? events.filter((each) => each !== type) : [...events, type])}
            title={PUBLIC_EVENTS[type].title()}
            hint={PUBLIC_EVENTS[type].description()}
            className="py-2"
          />
          <EventSetting type={type} form={form} />
        </li>
      ))}
    </ul>
  )
}

/** What some events need to know, below their checkbox. */
function EventSetting({ type, form }: FieldProps & { type: PublicEventType }) {
  if (type === 'server.offline') return <OfflineField key={form.discards} form={form} />
  if (type !== 'players.threshold' || !form.values.events.includes(type)) return null
  return (
    <div className="ml-7 max-w-66 px-3 pb-3">
      <NumberField form={form} name="players_above" label={m.webhooks_form_players()} empty={null} placeholder="100" className="max-w-20" />
    </div>
  )
}

const UNIT_NAMES: Readonly<Record<Unit, string>> = {
  hours: m.webhooks_form_unit_hours(),
  minutes: m.webhooks_form_unit_minutes(),
  seconds: m.webhooks_form_unit_seconds(),
}

/** A duration in a unit. The value is in seconds. */
function OfflineField({ form }: FieldProps) {
  const { value: seconds, error, onChange, ...field } = useField(form, 'offline_after_seconds')
  const [unit, setUnit] = useState(() => unitOf(seconds))
  const amount = seconds / UNITS[unit]
  return (
    <div className="ml-7 max-w-66 px-3 pb-3">
      <Field label={m.webhooks_form_offline()} error={error}>
        {(control) => (
          <div className="flex gap-2">
            <NumberInput
              {...control}
              {...field}
              value={amount}
              onChange={(next) => onChange(next === null ? NaN : next * UNITS[unit])}
              className="max-w-20"
            />
            <select
              aria-label={m.webhooks_form_offline_unit()}
              value={unit}
              onChange={({ target }) => {
                const next = target.value as Unit
                setUnit(next)
                onChange(amount * UNITS[next])
              }}
              className="field-input min-w-0 flex-1"
            >
              {UNIT_KEYS.toReversed().map((key) => (
                <option key={key} value={key}>
                  {UNIT_NAMES[key]}
                </option>
              ))}
            </select>
          </div>
        )}
      </Field>
    </div>
  )
}
