import { createElement, Fragment, type ReactNode } from 'react'
import { m } from '#messages'

const KEPT = ['p', 'br', 'strong', 'em', 'u', 's', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li']
/** Drawn as paragraphs, so that they don't mix with the page's own headings. */
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const SHOWN_AS = new Map([
  ...KEPT.map((tag) => [tag, tag] as const),
  ...HEADINGS.map((tag) => [tag, 'p'] as const),
  ['b', 'strong'],
  ['i', 'em'],
])
const DROPPED = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg', 'math', 'title'])
const MAX_DEPTH = 20

/** The text of a news entry. The backend sanitized it, and each element is created again here, without raw markup. */
export function FeedHtml({ html }: { html: string }) {
  // A separate document: nothing in it runs or is fetched.
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  return <div className="feed-text">{contentOf(body, 0)}</div>
}

function contentOf(parent: Node, level: number): ReactNode {
  return Array.from(parent.childNodes, (node, index) => <Fragment key={index}>{elementOf(node, level)}</Fragment>)
}

function elementOf(node: Node, level: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element) || level > MAX_DEPTH) return null
  const tag = node.tagName.toLowerCase()
  if (DROPPED.has(tag)) return null
  if (tag === 'a') return linkOf(node, level)
  const made = SHOWN_AS.get(tag)
  if (made === 'br') return <br />
  const content = contentOf(node, level + 1)
  return made === undefined ? content : createElement(made, null, content)
}

function linkOf(node: Element, level: number): ReactNode {
  const address = node.getAttribute('href') ?? ''
  const content = contentOf(node, level + 1)
  return /^https?:\/\//i.test(address) ? <FeedLink to={address}>{content}</FeedLink> : content
}

/** A link from foreign content: opens a new tab, without referrer trust. */
export function FeedLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noopener nofollow ugc" className="rounded-6 text-accent underline underline-offset-2">
      {children}
      <span className="sr-only"> {m.benefits_form_new_tab()}</span>
    </a>
  )
}
