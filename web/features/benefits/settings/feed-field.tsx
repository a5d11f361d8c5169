import { useMutation } from '@tanstack/react-query'
import { useId } from 'react'
import type { FeedPreview } from '#contract/public-site/feeds.ts'
import { m } from '#messages'
import { call } from '#web/lib/http/call.ts'
import { messageOf } from '#web/lib/http/http-error.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import type { Form } from '#web/ui/form/form-options.ts'
import { ErrorNote } from '#web/ui/note.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import './feed.css'
import { FeedHtml, FeedLink } from './feed-html.tsx'
import type { LauncherValues } from './settings-form.tsx'

export function useFeedPreview() {
  return useMutation({ mutationFn: (url: string) => call('POST /api/users/benefits/feed-preview', { body: { url } }) })
}

export function FeedField({ form, preview }: { form: Form<LauncherValues>; preview: ReturnType<typeof useFeedPreview> }) {
  const url = form.values.rss_url.trim()
  const loadPreview = useSingleFlight(() => preview.mutateAsync(url))
  const error = preview.error !== null && preview.variables === url ? messageOf(preview.error) : undefined
  return (
    <div>
      <TextField
        form={form}
        name="rss_url"
        label={m.benefits_form_feed()}
        optional
        hint={m.benefits_form_feed_hint()}
        type="url"
        inputMode="url"
        placeholder="https://example.com/feed.xml"
        className="min-w-0 flex-1"
        after={
          <Button disabled={url === ''} busy={preview.isPending} onClick={loadPreview}>
            {m.benefits_form_feed_preview()}
          </Button>
        }
      />
      {error !== undefined && !preview.isPending && <ErrorNote className="mt-3">{error}</ErrorNote>}
      {preview.data && preview.variables === url && <Feed feed={preview.data} />}
    </div>
  )
}

function Feed({ feed: { title, items } }: { feed: FeedPreview }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-3 rounded-6 border border-line">
      <h2 id={id} className="border-b border-line px-3 py-2 text-13 font-medium break-words">
        {title || m.benefits_form_feed_title()}{' '}
        <span className="font-normal text-ink-3">· {m.benefits_form_feed_entries({ count: items.length })}</span>
      </h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users must be able to scroll it */}
      <div role="group" aria-labelledby={id} tabIndex={0} className="max-h-80 overflow-auto rounded-6">
        {items.length === 0 && <p className="px-3 py-3 text-13 text-ink-3">{m.benefits_form_feed_empty()}</p>}
        {items.map(({ title: heading, link, published_at, html }, index) => (
          <article key={index} className="border-t border-line px-3 py-3 first:border-t-0">
            <h3 className="font-medium break-words">{link === null ? heading : <FeedLink to={link}>{heading || link}</FeedLink>}</h3>
            {published_at !== null && (
              <p className="text-12 text-ink-3">
                <TimeAgo at={published_at} />
              </p>
            )}
            <FeedHtml html={html} />
          </article>
        ))}
      </div>
    </section>
  )
}
