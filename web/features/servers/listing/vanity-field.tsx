import { Controller } from 'react-hook-form'
import { LIMITS, type Server, VanityUrl } from '#contract/servers.ts'
import { Field } from '#web/ui/form/field.tsx'
import type { ListingFormState } from './listing-form.tsx'

interface VanityFieldProps {
  form: ListingFormState
  server: Server
  typed: string | null
  masterlist: string
}

/** What is typed is brought to what a vanity id can hold: small letters, and no @ before it. */
function vanityFrom(text: string): string | null {
  const id = text.trim().replace(/^@+/, '').toLowerCase()
  return id === '' ? null : id
}

/** The id under which players find the server, and where it leads. */
export function VanityField({ form: { control, formState }, server, typed, masterlist }: VanityFieldProps) {
  const { min, max } = LIMITS.vanity_url
  return (
    <div>
      <Field
        label="Vanity id"
        optional
        hint={`${min} to ${max} characters: a to z, 0 to 9 and single hyphens.`}
        error={formState.errors.vanity_url?.message}
        aside={`${(typed ?? '').length} / ${max}`}
      >
        {(props) => (
          <Controller
            control={control}
            name="vanity_url"
            render={({ field }) => (
              <div className="relative">
                <span aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-ink-3">
                  @
                </span>
                <input
                  {...props}
                  ref={field.ref}
                  value={field.value ?? ''}
                  onChange={({ target }) => field.onChange(vanityFrom(target.value))}
                  onBlur={field.onBlur}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  placeholder="my-town"
                  className="field-input pl-7!"
                />
              </div>
            )}
          />
        )}
      </Field>
      {formState.errors.vanity_url === undefined && <Leads typed={typed} masterlist={masterlist} />}
      {server.vanity_url !== null && typed !== server.vanity_url && (
        <p className="mt-1 text-13 text-ink-2">
          Once saved, @{server.vanity_url} rests for 30 days: nobody else can have it, and you can take it back.
        </p>
      )}
    </div>
  )
}

/** Where an id that is possible would lead. */
function Leads({ typed, masterlist }: Pick<VanityFieldProps, 'typed' | 'masterlist'>) {
  if (typed === null || !VanityUrl.safeParse(typed).success) return null
  return (
    <p data-vanity-preview className="mt-1 text-13 text-ink-2">
      Players find the server as <span className="font-mono [overflow-wrap:anywhere] text-ink-1">@{typed}</span> and at{' '}
      <span className="font-mono [overflow-wrap:anywhere] text-ink-1">
        {masterlist}/servers/{typed}
      </span>
    </p>
  )
}
