/** Renders the public pages in the backend, as whole HTML documents. */
import { overwriteGetLocale as setApiLocale } from '#api-messages/runtime'
import type { ComponentProps, ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import type { PageAssets, PublicPage, PublicSite, RenderPublicPage } from '#contract/public-site/public-site.ts'
import { m } from '#messages'
import { overwriteGetLocale } from '#messages/runtime'
import { pageLanguage, setPageLanguage } from '#web/lib/language.ts'
import { counted } from '#web/ui/count-text.ts'
import { BrowsePage } from './browse-page.tsx'
import { browsePath, browseTitle, canonicalBrowsePath, isPlainBrowse } from './browse-links.ts'
import { EmbedCard } from './embed-card.tsx'
import { PageHead } from './page-head.tsx'
import { ProblemPage, problemTitle } from './problem-page.tsx'
import { ServerPage, serverSummary } from './server-page.tsx'
import { SiteFrame } from './site-frame.tsx'
import { listData, serverData } from './structured-data.ts'

overwriteGetLocale(() => pageLanguage)
setApiLocale(() => pageLanguage)

export const renderPublicPage: RenderPublicPage = (page, { language, site, assets }) => {
  // Rendering is synchronous, so no other page is rendered meanwhile.
  setPageLanguage(language)
  return `<!doctype html>${renderToStaticMarkup(<Document site={site} assets={assets} {...partsOf(page, site)} />)}`
}

interface PageParts {
  /** Title, description, canonical address and preview. */
  readonly head: ComponentProps<typeof PageHead>
  readonly body: ReactNode
  /** What the page shows, for search engines (schema.org, JSON-LD). */
  readonly data?: object
  /** For frames of other sites: without header and footer. */
  readonly isEmbedded?: boolean
}

interface DocumentProps extends PageParts {
  readonly site: PublicSite
  readonly assets: PageAssets
}

function Document({ site, assets, head, body, data, isEmbedded = false }: DocumentProps) {
  return (
    <html lang={pageLanguage}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="dark light" />
        <meta name="referrer" content="same-origin" />
        <PageHead {...head} />
        {/* With scripts, the numbers change in place. */}
        {isEmbedded && (
          <noscript>
            <meta httpEquiv="refresh" content="60" />
          </noscript>
        )}
        {/* No text may end the script. */}
        {data && (
          <script
            type="application/ld+json"
            // oxlint-disable-next-line react/no-danger -- JSON of ours
            dangerouslySetInnerHTML={{ __html: JSON.stringify(data).replaceAll('<', String.raw`\u003c`) }}
          />
        )}
        <script src="/theme.js" />
        <link rel="icon" href="/icon.svg" />
        <link rel="manifest" href="/manifest.webmanifest" />
        <link rel="preload" href={assets.font} as="font" type="font/woff2" crossOrigin="" />
        {assets.styles.map((path) => (
          <link key={path} rel="stylesheet" href={path} />
        ))}
        <script type="module" src={assets.script} />
      </head>
      <body>{isEmbedded ? body : <SiteFrame links={site}>{body}</SiteFrame>}</body>
    </html>
  )
}

function partsOf(page: PublicPage, site: PublicSite): PageParts {
  if (page.kind === 'problem') return problemParts(page, site)
  return page.kind === 'browse' ? browseParts(page, site) : serverParts(page, site)
}

function browseParts({ view }: PublicPage & { kind: 'browse' }, site: PublicSite): PageParts {
  const { query, servers, players, rows } = view
  const totals = { servers: m.public_servers(counted(servers)), players: m.public_players(counted(players)) }
  return {
    head: {
      title: browseTitle(view),
      description: m.public_browse_description(totals),
      url: site.origin + canonicalBrowsePath(query),
      // Search engines need only the pages of the whole list.
      isIndexed: isPlainBrowse(query) && rows.length > 0,
    },
    body: <BrowsePage view={view} />,
    data: listData(view, site, site.origin + browsePath(query)),
  }
}

function serverParts({ kind, view }: PublicPage & { kind: 'page' | 'embed' }, site: PublicSite): PageParts {
  const url = site.origin + view.path
  const head = { title: `${view.name} · Muster`, description: serverSummary(view), url }
  if (kind === 'embed') return { head: { ...head, isIndexed: false }, body: <EmbedCard view={view} site={site} />, isEmbedded: true }
  return {
    head: { ...head, imageUrl: `${url}/og.png`, isIndexed: view.isOnline },
    body: <ServerPage view={view} site={site} />,
    data: serverData(view, site),
  }
}

/** The sentences are in the language of the page. There are none for a page or server that does not exist. */
function problemParts({ status, sentences }: PublicPage & { kind: 'problem' }, site: PublicSite): PageParts {
  const title = problemTitle(status)
  return {
    head: { title: `${title} · Muster`, description: title, url: `${site.origin}/browse`, isIndexed: false },
    body: <ProblemPage title={title} sentences={sentences} />,
  }
}
