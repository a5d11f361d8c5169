import { useMemo } from 'react'
import { m } from '#messages'
import { browserTimeZone, formatTime, useNow } from '#web/lib/time.ts'
import { Field } from '#web/ui/form/field.tsx'
import { timeZoneGroups, timeZoneName } from './time-zones.ts'

/** A native select: typing finds a city, and phones show their own list. */
export function TimeZoneField({ value, onChange }: { value: string | null; onChange: (timeZone: string | null) => void }) {
  const groups = useMemo(() => timeZoneGroups(Intl.supportedValuesOf('timeZone'), value), [value])
  return (
    <Field label={m.preferences_time_zone()} hint={<TimeThere zone={value ?? browserTimeZone} />}>
      {(control) => (
        <select
          {...control}
          value={value ?? ''}
          onChange={({ target }) => onChange(target.value || null)}
          className="field-input sm:max-w-96"
        >
          <option value="">{m.preferences_time_zone_browser({ zone: timeZoneName(browserTimeZone) })}</option>
          {groups.map(({ area, zones }) => (
            <optgroup key={area} label={area === '' ? m.preferences_time_zone_other() : area}>
              {zones.map(({ id, city }) => (
                <option key={id} value={id}>
                  {city}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      )}
    </Field>
  )
}

function TimeThere({ zone }: { zone: string }) {
  const now = useNow()
  return <>{m.preferences_time_there({ time: formatTime(now, 'time', zone), day: formatTime(now, 'weekday', zone) })}</>
}
