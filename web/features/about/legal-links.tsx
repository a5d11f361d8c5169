import { useQuery } from '@tanstack/react-query'
import { m } from '#messages'
import { aboutOptions } from './about.api.ts'

/** The operator's terms, privacy policy and imprint, at the lower edge of a page that has room for them, so that nothing moves. */
export function LegalLinks() {
  const { data: about } = useQuery(aboutOptions)
  const links = [
    [m.public_footer_terms(), about?.terms_url],
    [m.public_footer_privacy(), about?.privacy_url],
    [m.public_footer_imprint(), about?.imprint_url],
  ].filter((link): link is [string, string] => typeof link[1] === 'string')
  if (links.length === 0) return null
  return (
    <nav
      aria-label={m.public_footer()}
      className="absolute inset-x-6 bottom-0 flex min-h-10 flex-wrap items-center justify-center gap-x-5 text-13 text-ink-3 max-sm:pb-2"
    >
      {links.map(([text, url]) => (
        <a key={text} href={url} className="inline-flex min-h-8 items-center hover:text-ink-1 pointer-coarse:min-h-11">
          {text}
        </a>
      ))}
    </nav>
  )
}
