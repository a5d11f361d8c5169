import { useId } from 'react'
import type { FeedPreview } from '#contract/feeds.ts'
import { messageOf } from '#web/lib/http-error.ts'
import { useSingly } from '#web/lib/use-singly.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/form/field.tsx'
import { ErrorNote } from '#web/ui/note.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
import './feed.css'
import { FeedHtml, FeedLink } from './feed-html.tsx'
import type { useFeedPreview } from './use-feed-preview.ts'

interface FeedFieldProps {
  value: string
  onChange: (value: string) => void
  onLeave: () => void
  error: string | undefined
  preview: ReturnType<typeof useFeedPreview>
}

/** The address of a news feed, and a look at it as the launcher will show it. */
export function FeedField({ value, onChange, onLeave, error, preview }: FeedFieldProps) {
  const address = value.trim()
  const look = useSingly(() => preview.mutateAsync(address))
  const failed = preview.error !== null && preview.variables === address ? messageOf(preview.error) : undefined
  return (
    <div data-field="rss_url">
      <Field label="News feed" optional hint="RSS, Atom or JSON Feed. The launcher shows the newest ten entries." error={error}>
        {(props) => (
          <div className="flex gap-2">
            <input
              {...props}
              type="url"
              inputMode="url"
              autoComplete="off"
              value={value}
              onChange={(event) => onChange(event.target.value)}
              onBlur={onLeave}
              placeholder="https://example.com/feed.xml"
              className="field-input min-w-0 flex-1"
            />
            <Button disabled={address === ''} busy={preview.isPending} onClick={look}>
              Preview
            </Button>
          </div>
        )}
      </Field>
      {failed !== undefined && !preview.isPending && <ErrorNote className="mt-3">{failed}</ErrorNote>}
      {preview.data && preview.variables === address && <Feed feed={preview.data} />}
    </div>
  )
}

function Feed({ feed: { title, items } }: { feed: FeedPreview }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-3 rounded-6 border border-line">
      <h2 id={id} className="border-b border-line px-3 py-2 text-13 font-medium break-words">
        {title || 'News'} <span className="font-normal text-ink-3">· {items.length === 1 ? '1 entry' : `${items.length} entries`}</span>
      </h2>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and keys must reach it */}
      <div role="group" aria-labelledby={id} tabIndex={0} className="max-h-80 overflow-auto rounded-6">
        {items.length === 0 && <p className="px-3 py-3 text-13 text-ink-3">The feed can be read, but has no entries yet.</p>}
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
