import { useSuspenseQuery } from '@tanstack/react-query'
import { Controller } from 'react-hook-form'
import { LIMITS, VanityUrl } from '#contract/servers.ts'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { Field } from '#web/ui/form/field.tsx'
import { useListing } from './listing-input.ts'

/** Brings what is typed to what a vanity id can hold: small letters, and no @ before it. */
function vanityFrom(text: string): string | null {
  const id = text.trim().replace(/^@+/, '').toLowerCase()
  return id === '' ? null : id
}

export function VanityField() {
  const { form, server, typed } = useListing()
  const { vanity_url } = typed
  const { min, max } = LIMITS.vanity_url
  const error = form.formState.errors.vanity_url?.message
  return (
    <div>
      <Field
        label="Vanity id"
        optional
        hint={`${min} to ${max} characters: a to z, 0 to 9 and single hyphens.`}
        error={error}
        aside={`${(vanity_url ?? '').length} / ${max}`}
      >
        {(props) => (
          <Controller
            control={form.control}
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
      {error === undefined && VanityUrl.safeParse(vanity_url).success && <VanityPreview id={vanity_url} />}
      {server.vanity_url !== null && vanity_url !== server.vanity_url && (
        <p className="mt-1 text-13 text-ink-2">
          Once saved, @{server.vanity_url} rests for 30 days: nobody else can have it, and you can take it back.
        </p>
      )}
    </div>
  )
}

function VanityPreview({ id }: { id: string | null }) {
  const { data: about } = useSuspenseQuery(aboutOptions)
  return (
    <p data-vanity-preview className="mt-1 text-13 text-ink-2">
      Players find the server as <span className="font-mono [overflow-wrap:anywhere] text-ink-1">@{id}</span> and at{' '}
      <span className="font-mono [overflow-wrap:anywhere] text-ink-1">
        {about.masterlist_url}/servers/{id}
      </span>
    </p>
  )
}
