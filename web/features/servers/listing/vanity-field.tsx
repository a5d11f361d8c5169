import { useSuspenseQuery } from '@tanstack/react-query'
import { LIMITS } from '#contract/servers/server-fields.ts'
import { MAX_RELEASED_VANITY_IDS, VanityUrl } from '#contract/servers/vanity-id.ts'
import { serverField } from '#contract/servers/server-field-shapes.ts'
import { m } from '#messages'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { TextField, useField } from '#web/ui/form/fields.tsx'
import { RichText } from '#web/ui/rich-text.tsx'
import { useListing } from './listing-form.ts'

/** Lower case, without a leading @. Null if empty. */
function normalizeVanity(text: string): string | null {
  const id = text.trim().replace(/^@+/, '').toLowerCase()
  return id === '' ? null : id
}

export function VanityField() {
  const { form, server } = useListing()
  const { value: id, error } = useField(form, 'vanity_url')
  const { min, max } = LIMITS.vanity_url
  return (
    <div>
      <TextField
        form={form}
        name="vanity_url"
        label={serverField('vanity_url').label()}
        optional
        hint={m.servers_listing_vanity_hint({ min, max })}
        max={max}
        normalize={normalizeVanity}
        before={
          <span aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-ink-3">
            @
          </span>
        }
        autoCapitalize="none"
        spellCheck={false}
        placeholder={m.servers_listing_vanity_placeholder()}
        className="pl-7!"
      />
      {error === undefined && VanityUrl.safeParse(id).success && <VanityPreview id={id} />}
      {server.vanity_url !== null && id !== server.vanity_url && (
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
