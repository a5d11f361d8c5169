import { createElement, Fragment, type ReactNode } from 'react'

const KEPT = ['p', 'br', 'strong', 'em', 'u', 's', 'code', 'pre', 'blockquote', 'ul', 'ol', 'li']
/** Headings would stand among the page's own. */
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']
const SHOWN_AS = new Map([
  ...KEPT.map((tag) => [tag, tag] as const),
  ...HEADINGS.map((tag) => [tag, 'p'] as const),
  ['b', 'strong'],
  ['i', 'em'],
])
const DROPPED = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg', 'math', 'title'])
const MAX_DEPTH = 20

/** The text of a news entry. The backend made it harmless already, and nothing here writes markup: each element is made again. */
export function FeedHtml({ html }: { html: string }) {
  // A document of its own: nothing in it is run or fetched.
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

/** A link that somebody else wrote: it opens beside the panel and vouches for nothing. */
export function FeedLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <a href={to} target="_blank" rel="noopener nofollow ugc" className="rounded-6 text-accent underline underline-offset-2">
      {children}
      <span className="sr-only"> (opens in a new tab)</span>
    </a>
  )
}
