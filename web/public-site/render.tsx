/** Renders the public pages outside of a browser. The backend puts the parts into public-site.html. */
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { BrowseView, PublicServerView, PublicSite, RenderedPublicPage } from '#contract/public-site/public-site.ts'
import { m } from '#messages'
import { counted } from '#web/ui/count-text.ts'
import { BrowsePage } from './browse-page.tsx'
import { browsePath, browseTitle, canonicalBrowsePath, isPlainBrowse } from './browse-links.ts'
import { EmbedCard } from './embed-card.tsx'
import { PageHead } from './page-head.tsx'
import { ProblemPage, problemTitle } from './problem-page.tsx'
import { ServerPage, serverSummary } from './server-page.tsx'
import { SiteFrame } from './site-frame.tsx'
import { listData, serverData } from './structured-data.ts'

const html = (element: ReactElement): string => renderToStaticMarkup(element)

/** In the frame, in place of the page. */
const PLACE = <template />
/** Rendered frames by the operator's links. */
const frames = new Map<string, readonly string[]>()

/** Puts the page into the frame, which is the same for all pages and rendered once. */
function framed(page: ReactElement, { termsUrl, privacyUrl, imprintUrl }: PublicSite): string {
  const links = { termsUrl, privacyUrl, imprintUrl }
  const key = JSON.stringify(links)
  const frame = frames.get(key) ?? html(<SiteFrame links={links}>{PLACE}</SiteFrame>).split(html(PLACE))
  frames.set(key, frame)
  return frame.join(html(page))
}

export function renderBrowse(view: BrowseView, site: PublicSite): RenderedPublicPage {
  const { query } = view
  return {
    head: html(
      <PageHead
        title={browseTitle(view)}
        description={m.public_browse_description({
          servers: m.public_servers(counted(view.servers)),
          players: m.public_players(counted(view.players)),
        })}
        url={site.origin + canonicalBrowsePath(query)}
        // Search engines need only the pages of the whole list.
        isIndexed={isPlainBrowse(query) && view.rows.length > 0}
      />,
    ),
    body: framed(<BrowsePage view={view} />, site),
    data: listData(view, site, site.origin + browsePath(query)),
  }
}

export function renderServer(view: PublicServerView, site: PublicSite): RenderedPublicPage {
  return {
    head: html(
      <PageHead
        title={`${view.name} · Muster`}
        description={serverSummary(view)}
        url={site.origin + view.path}
        imageUrl={`${site.origin}${view.path}/og.png`}
        isIndexed={view.isOnline}
      />,
    ),
    body: framed(<ServerPage view={view} site={site} />, site),
    data: serverData(view, site),
  }
}

export function renderEmbed(view: PublicServerView, site: PublicSite): RenderedPublicPage {
  return {
    head: html(
      <>
        <PageHead title={`${view.name} · Muster`} description={serverSummary(view)} url={site.origin + view.path} isIndexed={false} />
        {/* With scripts, the numbers change in place. */}
        <noscript>
          <meta httpEquiv="refresh" content="60" />
        </noscript>
      </>,
    ),
    body: html(<EmbedCard view={view} site={site} />),
  }
}

/** @param sentences in the language of the page; empty for a page or server that does not exist */
export function renderProblem(status: number, sentences: readonly string[], site: PublicSite): RenderedPublicPage {
  const title = problemTitle(status)
  return {
    head: html(<PageHead title={`${title} · Muster`} description={title} url={`${site.origin}/browse`} isIndexed={false} />),
    body: framed(<ProblemPage title={title} sentences={sentences} />, site),
  }
}
