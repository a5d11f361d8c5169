import { Check, Languages, Monitor, Moon, Sun } from 'lucide-react'
import type { ReactNode } from 'react'
import type { PublicSite } from '#contract/public-site/public-site.ts'
import { m } from '#messages'
import { brand } from '#web/lib/brand.ts'
import { LANGUAGES } from '#web/lib/language-choice.ts'
import { pageLanguage } from '#web/lib/language.ts'
import { BrandMark } from '#web/ui/brand.tsx'

/** Header and footer of a public page. What can't wrap, such as forty joined letters, is cut off at the edge of the window. */
export function SiteFrame({ links, children }: { links: OperatorLinks; children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-dvh max-w-[1200px] flex-col overflow-x-clip px-4 sm:px-6">
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface-3 focus:p-3">
        {m.public_skip()}
      </a>
      <header className="flex h-14 shrink-0 items-center justify-between gap-4">
        <a href="/browse" className="flex min-h-11 min-w-0 items-center gap-2.5 text-16 font-semibold tracking-[-0.01em]">
          <BrandMark size={26} />
          <span className="truncate">{brand.name}</span>
        </a>
        <a href="/login" className="flex min-h-11 shrink-0 items-center text-13 text-ink-2 hover:text-ink-1">
          {m.public_for_owners()}
        </a>
      </header>
      <main id="main" tabIndex={-1} className="flex-1 pb-10 outline-none">
        {children}
      </main>
      <SiteFooter links={links} />
      <p
        role="status"
        data-status={m.public_not_updated()}
        className="fixed inset-x-4 bottom-4 z-30 mx-auto w-fit max-w-[420px] rounded-6 border-line bg-surface-3 text-13 not-empty:border not-empty:px-3 not-empty:py-2 not-empty:shadow-overlay"
      />
    </div>
  )
}

const CONTROL =
  'inline-flex min-h-9 items-center justify-center gap-2 rounded-6 border border-line hover:border-line-strong pointer-coarse:min-h-11'

type OperatorLinks = Pick<PublicSite, 'termsUrl' | 'privacyUrl' | 'imprintUrl'>

/** The language works without a script; the theme is the system's then. */
function SiteFooter({ links: { termsUrl, privacyUrl, imprintUrl } }: { links: OperatorLinks }) {
  const links: [text: string, url: string | undefined][] = [
    [m.public_for_owners(), '/login'],
    [m.public_footer_api(), '/api/openapi.json'],
    [m.public_footer_terms(), termsUrl],
    [m.public_footer_privacy(), privacyUrl],
    [m.public_footer_imprint(), imprintUrl],
  ]
  return (
    <footer className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-t border-line py-4 text-13 text-ink-2">
      <nav aria-label={m.public_footer()} className="flex flex-wrap gap-x-5">
        {links.map(
          ([text, url]) =>
            url !== undefined && (
              <a
                key={text}
                href={url}
                rel={url.startsWith('/') ? 'nofollow' : undefined}
                className="inline-flex min-h-9 min-w-6 items-center hover:text-ink-1 pointer-coarse:min-h-11"
              >
                {text}
              </a>
            ),
        )}
      </nav>
      <div className="flex flex-wrap items-center gap-2">
        <Language />
        <Theme />
      </div>
    </footer>
  )
}

/** The backend sets the cookie that the panel also reads (choose-language.ts). */
function Language() {
  return (
    <>
      <button type="button" popoverTarget="languages" className={`${CONTROL} px-3 [anchor-name:--languages]`}>
        <Languages size={16} aria-hidden="true" />
        <span className="sr-only">{m.preferences_language()}: </span>
        {LANGUAGES.find(({ code }) => code === pageLanguage)?.name}
      </button>
      <form
        id="languages"
        popover="auto"
        method="post"
        action="/browse/language"
        aria-label={m.preferences_language()}
        // Browsers without anchors show it in the middle.
        className="m-auto w-60 rounded-10 border border-line bg-surface-3 p-1 text-ink-1 shadow-overlay [position-anchor:--languages] [position-try-fallbacks:flip-inline] supports-[position-area:top]:inset-auto supports-[position-area:top]:mt-0 supports-[position-area:top]:mb-1 supports-[position-area:top]:[position-area:top_span-left]"
      >
        {LANGUAGES.map(({ code, name }) => (
          <button
            key={code}
            type="submit"
            name="language"
            value={code}
            lang={code}
            aria-current={code === pageLanguage || undefined}
            className="flex min-h-11 w-full items-center justify-between gap-6 rounded-6 px-3 text-left hover:bg-surface-2 aria-[current]:font-semibold"
          >
            {name}
            {code === pageLanguage && <Check size={16} aria-hidden="true" />}
          </button>
        ))}
      </form>
    </>
  )
}

const THEMES = [
  ['system', Monitor, m.preferences_theme_system],
  ['light', Sun, m.preferences_theme_light],
  ['dark', Moon, m.preferences_theme_dark],
] as const

/** The script sets which one is pressed (enhance.ts). */
function Theme() {
  return (
    <div role="group" aria-label={m.preferences_theme()} className="needs-script flex">
      {THEMES.map(([theme, Icon, label]) => (
        <button
          key={theme}
          type="button"
          data-theme-choice={theme}
          aria-pressed="false"
          aria-label={label()}
          className={`${CONTROL} w-9 rounded-none first:rounded-l-6 last:rounded-r-6 not-first:-ml-px aria-pressed:z-1 aria-pressed:border-accent aria-pressed:bg-surface-2 aria-pressed:text-ink-1 pointer-coarse:w-11`}
        >
          <Icon size={16} aria-hidden="true" />
        </button>
      ))}
    </div>
  )
}
