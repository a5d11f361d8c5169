import { useSuspenseQuery } from '@tanstack/react-query'
import { Controller } from 'react-hook-form'
import { LIMITS } from '#contract/servers/server-fields.ts'
import { MAX_RELEASED_VANITY_IDS, VanityUrl } from '#contract/servers/vanity-id.ts'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { Field } from '#web/ui/form/field.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { useListing } from './listing-input.ts'

/** Lower case, without a leading @. Null if empty. */
function normalizeVanity(text: string): string | null {
  const id = text.trim().replace(/^@+/, '').toLowerCase()
  return id === '' ? null : id
}

export function VanityField() {
  const { form, server, values } = useListing()
  const { vanity_url } = values
  const { min, max } = LIMITS.vanity_url
  const error = form.formState.errors.vanity_url?.message
  return (
    <div>
      <Field
        label={m.servers_listing_vanity()}
        optional
        hint={m.servers_listing_vanity_hint({ min, max })}
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
                  onChange={({ target }) => field.onChange(normalizeVanity(target.value))}
                  onBlur={field.onBlur}
                  autoComplete="off"
                  autoCapitalize="none"
                  spellCheck={false}
                  placeholder={m.servers_listing_vanity_placeholder()}
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
          {m.servers_listing_vanity_reserved({ id: server.vanity_url, count: MAX_RELEASED_VANITY_IDS })}
        </p>
      )}
    </div>
  )
}

function VanityPreview({ id }: { id: string | null }) {
  const { data: about } = useSuspenseQuery(aboutOptions)
  const code = (text: string) => <span className="font-mono [overflow-wrap:anywhere] text-ink-1">{text}</span>
  return (
    <p data-vanity-preview className="mt-1 text-13 text-ink-2">
      <RichText
        message={m.servers_listing_vanity_preview}
        tags={{ id: () => code(`@${id}`), url: () => code(`${about.masterlist_url}/servers/${id}`) }}
      />
    </p>
  )
}
