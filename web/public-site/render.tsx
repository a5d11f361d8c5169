/** Renders the public pages in the backend, as whole HTML documents. */
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { overwriteGetLocale as setApiLocale } from '#api-messages/runtime'
import {
  type BrowseView,
  type PageAssets,
  type PublicPage,
  type PublicServerView,
  type PublicSite,
  type RenderPublicPage,
  ROWS_PER_PAGE,
} from '#contract/public-site/public-site.ts'
import { m } from '#messages'
import { brand, setBrand } from '#web/lib/brand.ts'
import { overwriteGetLocale } from '#messages/runtime'
import { pageLanguage, setPageLanguage } from '#web/lib/language.ts'
import { buttonClass } from '#web/ui/button.tsx'
import { counted } from '#web/ui/count-text.ts'
import { browsePath, browseTitle, canonicalBrowsePath, isPlainBrowse } from './browse-links.ts'
import { BrowsePage } from './browse-page.tsx'
import { EmbedCard } from './embed-card.tsx'
import { ServerPage, serverSummary } from './server-page.tsx'
import { SiteFrame } from './site-frame.tsx'

overwriteGetLocale(() => pageLanguage)
setApiLocale(() => pageLanguage)

export const renderPublicPage: RenderPublicPage = (page, { language, site, assets }) => {
  // Rendering is synchronous, so no other page is rendered meanwhile.
  setPageLanguage(language)
  setBrand(site.brand)
  return `<!doctype html>${renderToStaticMarkup(<Document site={site} assets={assets} {...partsOf(page, site)} />)}`
}

interface PageParts {
  /** Title, description, canonical address and preview. */
  readonly head: PageHeadProps
  readonly body: ReactNode
  /** What the page shows, for search engines (schema.org, JSON-LD). */
  readonly data?: object
  /** For frames of other sites: without header and footer. */
  readonly isEmbedded?: boolean
}

function Document({ site, assets, head, body, data, isEmbedded = false }: PageParts & { site: PublicSite; assets: PageAssets }) {
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
        <link rel="icon" href={brand.iconUrl} />
        {brand.logoUrl !== undefined && <link rel="apple-touch-icon" href={brand.logoUrl} />}
        <link rel="manifest" href={brand.manifestUrl} />
        <link rel="preload" href={assets.font} as="font" type="font/woff2" crossOrigin="" />
        {assets.styles.map((path) => (
          <link key={path} rel="stylesheet" href={path} />
        ))}
        {brand.stylesUrl !== undefined && <link rel="stylesheet" href={brand.stylesUrl} />}
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
  const head = { title: `${view.name} · ${brand.name}`, description: serverSummary(view), url }
  if (kind === 'embed') return { head: { ...head, isIndexed: false }, body: <EmbedCard view={view} site={site} />, isEmbedded: true }
  return {
    head: { ...head, imageUrl: `${url}/og.png`, isIndexed: view.isOnline },
    body: <ServerPage view={view} site={site} />,
    data: serverData(view, site),
  }
}

/** The sentences are in the language of the page. There are none for a page or server that does not exist. */
function problemParts({ status, sentences }: PublicPage & { kind: 'problem' }, site: PublicSite): PageParts {
  const isMistake = status < 500 && status !== 429
  const title = status === 404 ? m.public_not_found() : isMistake ? m.public_bad_address() : m.public_try_again()
  return {
    head: { title: `${title} · ${brand.name}`, description: title, url: `${site.origin}/browse`, isIndexed: false },
    body: <ProblemPage title={title} sentences={sentences} />,
  }
}

/** What search engines and previews of links read. */
interface PageHeadProps {
  title: string
  description: string
  /** The address of the page that search engines should keep. */
  url: string
  imageUrl?: string
  isIndexed: boolean
}

function PageHead({ title, description, url, imageUrl, isIndexed }: PageHeadProps) {
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={description} />
      {isIndexed ? <link rel="canonical" href={url} /> : <meta name="robots" content="noindex" />}
      <meta property="og:site_name" content={brand.name} />
      <meta property="og:type" content="website" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={url} />
      {imageUrl !== undefined && (
        <>
          <meta property="og:image" content={imageUrl} />
          <meta property="og:image:width" content="1200" />
          <meta property="og:image:height" content="630" />
          <meta name="twitter:card" content="summary_large_image" />
        </>
      )}
    </>
  )
}

function ProblemPage({ title, sentences }: { title: string; sentences: readonly string[] }) {
  return (
    <>
      <h1 className="mt-16 text-28 font-semibold tracking-[-0.02em]">{title}</h1>
      {sentences.length === 0 && <p className="mt-3 max-w-[60ch] text-ink-2">{m.public_not_found_hint()}</p>}
      {sentences.map((sentence) => (
        <p key={sentence} data-problem className="mt-3 max-w-[60ch] text-ink-2">
          {sentence}
        </p>
      ))}
      <a href="/browse" className={buttonClass('primary', 'mt-6 min-h-11')}>
        {m.public_all_servers()}
      </a>
    </>
  )
}

const CONTEXT = 'https://schema.org'

/** The list as schema.org data, for search engines. */
function listData({ rows, query }: BrowseView, site: PublicSite, url: string): object {
  return {
    '@context': CONTEXT,
    '@type': 'CollectionPage',
    url,
    mainEntity: {
      '@type': 'ItemList',
      numberOfItems: rows.length,
      itemListElement: rows.map((row, index) => ({
        '@type': 'ListItem',
        position: (query.page - 1) * ROWS_PER_PAGE + index + 1,
        name: row.name,
        url: site.origin + row.path,
      })),
    },
  }
}

function serverData(view: PublicServerView, site: PublicSite): object {
  return {
    '@context': CONTEXT,
    '@type': 'GameServer',
    name: view.name,
    url: site.origin + view.path,
    ...(view.description !== '' && { description: view.description }),
    ...(view.iconUrl !== null && { image: view.iconUrl }),
    playersOnline: view.players,
    serverStatus: statusOf(view),
  }
}

function statusOf({ isOnline, players, maxPlayers }: PublicServerView): string {
  if (!isOnline) return `${CONTEXT}/OfflineTemporarily`
  return players >= maxPlayers ? `${CONTEXT}/OnlineFull` : `${CONTEXT}/Online`
}
