import { m } from '#messages'
import { Field } from '#web/ui/form/field.tsx'
import type { WebhookForm } from './use-webhook-form.ts'
import { type Unit, UNITS } from './webhook-input.ts'

const UNIT_NAMES: Readonly<Record<Unit, string>> = {
  hours: m.webhooks_form_unit_hours(),
  minutes: m.webhooks_form_unit_minutes(),
  seconds: m.webhooks_form_unit_seconds(),
}
const UNIT_KEYS = (Object.keys(UNITS) as Unit[]).toReversed()

export function OfflineField({ form }: { form: WebhookForm }) {
  const { offline_amount: amount, offline_unit: unit } = form.values
  return (
    <div data-field="offline_amount" className="threshold px-3 pb-3">
      <Field label={m.webhooks_form_offline()} error={form.errors.offline_amount}>
        {(control) => (
          <div className="flex gap-2">
            <input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              value={amount}
              onChange={(event) => form.change({ offline_amount: event.target.value })}
              onBlur={() => form.touch('offline_amount')}
              className="field-input amount tabular-nums"
            />
            <select
              aria-label={m.webhooks_form_offline_unit()}
              value={unit}
              onChange={(event) => form.change({ offline_unit: event.target.value as Unit, offline_amount: amount })}
              className="field-input min-w-0 flex-1"
            >
              {UNIT_KEYS.map((key) => (
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

export function PlayersField({ form }: { form: WebhookForm }) {
  return (
    <div data-field="players_above" className="threshold px-3 pb-3">
      <Field label={m.webhooks_form_players()} error={form.errors.players_above}>
        {(control) => (
          <input
            {...control}
            inputMode="numeric"
            autoComplete="off"
            value={form.values.players_above}
            onChange={(event) => form.change({ players_above: event.target.value })}
            onBlur={() => form.touch('players_above')}
            placeholder="100"
            className="field-input amount tabular-nums"
          />
        )}
      </Field>
    </div>
  )
}
