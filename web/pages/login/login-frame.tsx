import type { ReactNode } from 'react'
import { BrandMark } from '#web/ui/brand.tsx'

/** @param aside beside the content on wide pages */
export function LoginFrame({ aside, children }: { aside?: ReactNode; children: ReactNode }) {
  return (
    <main className="flex min-h-dvh items-center justify-center gap-24 px-6 py-10">
      <div className="w-full max-w-[340px]">
        <BrandMark size={44} />
        {children}
      </div>
      {aside}
    </main>
  )
}
