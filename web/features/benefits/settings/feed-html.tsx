import { createElement, Fragment, type ReactNode } from 'react'

/** What a news entry may consist of, and what becomes of it here: headings would stand among the page's own. */
const ALLOWED: Readonly<Record<string, string>> = {
  p: 'p',
  br: 'br',
  strong: 'strong',
  b: 'strong',
  em: 'em',
  i: 'em',
  u: 'u',
  s: 's',
  code: 'code',
  pre: 'pre',
  blockquote: 'blockquote',
  ul: 'ul',
  ol: 'ol',
  li: 'li',
  h1: 'p',
  h2: 'p',
  h3: 'p',
  h4: 'p',
  h5: 'p',
  h6: 'p',
}
const DROPPED = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg', 'math', 'title'])
const MOST_LEVELS = 20

/** The text of a news entry. It was made harmless by the backend already, and nothing here writes markup: each element is made anew. */
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
  if (!(node instanceof Element) || level > MOST_LEVELS) return null
  const tag = node.tagName.toLowerCase()
  if (DROPPED.has(tag)) return null
  if (tag === 'a') return linkOf(node, level)
  const made = Object.hasOwn(ALLOWED, tag) ? ALLOWED[tag] : undefined
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
