/** What the pages of signing in share. */
import type { ReactNode } from 'react'
import { BrandMark } from '#web/ui/brand.tsx'
import { cx } from '#web/ui/class-names.ts'

/** @param aside beside the content on wide pages */
export function LoginFrame({ aside, children }: { aside?: ReactNode; children: ReactNode }) {
  return (
    <main className="relative flex min-h-dvh items-center justify-center gap-24 px-6 py-10 max-sm:pb-24">
      <div className="w-full max-w-[340px]">
        <BrandMark size={44} />
        {children}
      </div>
      {aside}
    </main>
  )
}

/** The one main action of these pages. */
export const loginButtonClass = (className: string): string =>
  cx(
    'inline-flex min-h-11 w-full items-center justify-center gap-2.5 rounded-6 bg-accent px-4 text-16 font-medium text-on-accent transition-colors duration-100 hover:bg-accent-hover',
    className,
  )
