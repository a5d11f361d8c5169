import { useMutation } from '@tanstack/react-query'
import { createElement, Fragment, type ReactNode, useId } from 'react'
import type { FeedPreview } from '#contract/public-site/feeds.ts'
import { m } from '#messages'
import { call, messageOf } from '#web/lib/http/call.ts'
import { useSingleFlight } from '#web/lib/use-single-flight.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import type { Form } from '#web/ui/form/form-options.ts'
import { ErrorNote } from '#web/ui/states.tsx'
import { TimeAgo } from '#web/ui/time-ago.tsx'
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
            <div className={HTML}>{contentOf(new DOMParser().parseFromString(html, 'text/html').body)}</div>
          </article>
        ))}
      </div>
    </section>
  )
}

/** The elements have no classes. */
const HTML =
  'mt-1 space-y-1.5 text-13 text-ink-2 [overflow-wrap:anywhere] [&_:is(code,pre)]:font-mono [&_:is(code,pre)]:text-12 [&_:is(code,pre)]:whitespace-pre-wrap [&_:is(ul,ol)]:pl-5 [&_blockquote]:border-l-2 [&_blockquote]:border-line-strong [&_blockquote]:pl-2.5 [&_ol]:list-decimal [&_ul]:list-disc'
const TAGS = new Set(['p', 'b', 'strong', 'i', 'em', 'u', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li'])

/** The backend has sanitized it; this creates each allowed element, without raw markup. Others show their content. */
function contentOf(parent: Node): ReactNode {
  return Array.from(parent.childNodes, (node, index) => <Fragment key={index}>{elementOf(node)}</Fragment>)
}

function elementOf(node: Node): ReactNode {
  if (!(node instanceof Element)) return node.nodeType === Node.TEXT_NODE ? node.textContent : null
  const tag = node.localName
  if (tag === 'script' || tag === 'style') return null
  if (tag === 'br') return <br />
  const content = contentOf(node)
  const url = node.getAttribute('href') ?? ''
  if (tag === 'a' && /^https?:\/\//i.test(url)) return <FeedLink to={url}>{content}</FeedLink>
  // Headings would mix with those of the page.
  if (/^h\d$/.test(tag)) return <p>{content}</p>
  return TAGS.has(tag) ? createElement(tag, null, content) : content
}

/** A link from untrusted content; opens in a new tab. */
function FeedLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noopener nofollow ugc" className="rounded-6 text-accent underline underline-offset-2">
      {children}
      <span className="sr-only"> {m.benefits_form_new_tab()}</span>
    </a>
  )
}
