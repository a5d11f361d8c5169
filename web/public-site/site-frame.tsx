import type { ReactNode } from 'react'
import { m } from '#messages'
import { BrandMark } from '#web/ui/brand.tsx'
import { type OperatorLinks, SiteFooter } from './site-footer.tsx'

/** Header and footer of a public page. What can't wrap, such as forty joined letters, is cut off at the edge of the window. */
export function SiteFrame({ links, children }: { links: OperatorLinks; children: ReactNode }) {
  return (
    <div className="mx-auto flex min-h-dvh max-w-[1200px] flex-col overflow-x-clip px-4 sm:px-6">
      <a href="#main" className="sr-only focus:not-sr-only focus:absolute focus:z-50 focus:bg-surface-3 focus:p-3">
        {m.public_skip()}
      </a>
      <header className="flex h-14 shrink-0 items-center justify-between gap-4">
        <a href="/browse" className="flex min-h-11 items-center gap-2.5 text-16 font-semibold tracking-[-0.01em]">
          <BrandMark size={26} />
          Muster
        </a>
        <a href="/login" className="flex min-h-11 items-center text-13 text-ink-2 hover:text-ink-1">
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
