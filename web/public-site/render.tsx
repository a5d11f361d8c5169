/** Renders the public pages in the backend, as whole HTML documents. */
import { overwriteGetLocale as setApiLocale } from '#api-messages/runtime'
import type { ReactNode } from 'react'
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
  return `<!doctype html>${renderToStaticMarkup(<Document assets={assets} {...partsOf(page, site)} />)}`
}

interface PageParts {
  /** Title, description, canonical address and preview. */
  readonly head: ReactNode
  readonly body: ReactNode
  /** What the page shows, for search engines (schema.org, JSON-LD). */
  readonly data?: object
}

function Document({ assets, head, body, data }: PageParts & { assets: PageAssets }) {
  return (
    <html lang={pageLanguage}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="dark light" />
        <meta name="referrer" content="same-origin" />
        {head}
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
      <body>{body}</body>
    </html>
  )
}

function partsOf(page: PublicPage, site: PublicSite): PageParts {
  if (page.kind === 'problem') return problemParts(page, site)
  if (page.kind === 'browse') return browseParts(page, site)
  return page.kind === 'page' ? serverParts(page, site) : embedParts(page, site)
}

function browseParts({ view }: PublicPage & { kind: 'browse' }, site: PublicSite): PageParts {
  const { query } = view
  return {
    head: (
      <PageHead
        title={browseTitle(view)}
        description={m.public_browse_description({
          servers: m.public_servers(counted(view.servers)),
          players: m.public_players(counted(view.players)),
        })}
        url={site.origin + canonicalBrowsePath(query)}
        // Search engines need only the pages of the whole list.
        isIndexed={isPlainBrowse(query) && view.rows.length > 0}
      />
    ),
    body: (
      <SiteFrame links={site}>
        <BrowsePage view={view} />
      </SiteFrame>
    ),
    data: listData(view, site, site.origin + browsePath(query)),
  }
}

function serverParts({ view }: PublicPage & { kind: 'page' | 'embed' }, site: PublicSite): PageParts {
  return {
    head: (
      <PageHead
        title={`${view.name} · Muster`}
        description={serverSummary(view)}
        url={site.origin + view.path}
        imageUrl={`${site.origin}${view.path}/og.png`}
        isIndexed={view.isOnline}
      />
    ),
    body: (
      <SiteFrame links={site}>
        <ServerPage view={view} site={site} />
      </SiteFrame>
    ),
    data: serverData(view, site),
  }
}

function embedParts({ view }: PublicPage & { kind: 'page' | 'embed' }, site: PublicSite): PageParts {
  return {
    head: (
      <>
        <PageHead title={`${view.name} · Muster`} description={serverSummary(view)} url={site.origin + view.path} isIndexed={false} />
        {/* With scripts, the numbers change in place. */}
        <noscript>
          <meta httpEquiv="refresh" content="60" />
        </noscript>
      </>
    ),
    body: <EmbedCard view={view} site={site} />,
  }
}

/** The sentences are in the language of the page. There are none for a page or server that does not exist. */
function problemParts({ status, sentences }: PublicPage & { kind: 'problem' }, site: PublicSite): PageParts {
  const title = problemTitle(status)
  return {
    head: <PageHead title={`${title} · Muster`} description={title} url={`${site.origin}/browse`} isIndexed={false} />,
    body: (
      <SiteFrame links={site}>
        <ProblemPage title={title} sentences={sentences} />
      </SiteFrame>
    ),
  }
}
