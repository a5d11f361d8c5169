import { createElement, Fragment, type ReactNode } from 'react'
import { m } from '#messages'

const ALLOWED = ['p', 'br', 'strong', 'em', 'u', 's', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li']
/** Rendered as paragraphs, so that they don't mix with the page's own headings. */
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const RENDERED_AS = new Map([
  ...ALLOWED.map((tag) => [tag, tag] as const),
  ...HEADINGS.map((tag) => [tag, 'p'] as const),
  ['b', 'strong'],
  ['i', 'em'],
])
const DROPPED = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg', 'math', 'title'])
const MAX_DEPTH = 20

/** The text of a news entry. The backend has sanitized it; this creates each allowed element, without raw markup. */
export function FeedHtml({ html }: { html: string }) {
  // An inert document: it runs no scripts and loads nothing.
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return <div className="feed-text">{contentOf(body, 0)}</div>
}

function contentOf(parent: Node, depth: number): ReactNode {
  return Array.from(parent.childNodes, (node, index) => <Fragment key={index}>{elementOf(node, depth)}</Fragment>)
}

function elementOf(node: Node, depth: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element) || depth > MAX_DEPTH) return null
  const tag = node.tagName.toLowerCase()
  if (DROPPED.has(tag)) return null
  if (tag === 'a') return linkOf(node, depth)
  const renderedTag = RENDERED_AS.get(tag)
  if (renderedTag === 'br') return <br />
  const content = contentOf(node, depth + 1)
  return renderedTag === undefined ? content : createElement(renderedTag, null, content)
}

function linkOf(node: Element, depth: number): ReactNode {
  const url = node.getAttribute('href') ?? ''
  const content = contentOf(node, depth + 1)
  return /^https?:\/\//i.test(url) ? <FeedLink to={url}>{content}</FeedLink> : content
}

/** A link from untrusted content; opens in a new tab. */
export function FeedLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noopener nofollow ugc" className="rounded-6 text-accent underline underline-offset-2">
      {children}
      <span className="sr-only"> {m.benefits_form_new_tab()}</span>
    </a>
  )
}
