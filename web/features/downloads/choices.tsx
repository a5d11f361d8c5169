import { Link } from '@tanstack/react-router'
import { cx } from '#web/ui/class-names.ts'
import type { Asked } from './choosing.ts'
import { branchName, platformName } from './platforms.ts'

interface ChoicesProps {
  branches: readonly string[]
  branch: string | undefined
  platforms: readonly string[]
  platform: string | undefined
  /** The platform of whoever looks. */
  own: string | undefined
}

/** Which branch and which platform; both stand in the address. */
export function Choices({ branches, branch, platforms, platform, own }: ChoicesProps) {
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-3">
      {branches.length > 0 && (
        <nav aria-label="Branch" className={ROW}>
          {branches.map((each, at) => (
            <Link
              key={each}
              {...LINK}
              search={(before: Asked) => ({ ...before, branch: at === 0 ? undefined : each })}
              aria-current={each === branch ? 'true' : undefined}
              className={itemClass(each === branch)}
            >
              {branchName(each)}
            </Link>
          ))}
        </nav>
      )}
      {platforms.length > 1 && (
        <nav aria-label="Platform" className={ROW}>
          {platforms.map((each, at) => (
            <Link
              key={each}
              {...LINK}
              search={(before: Asked) => ({ ...before, platform: at === 0 ? undefined : each })}
              aria-current={each === platform ? 'true' : undefined}
              className={itemClass(each === platform)}
            >
              {platformName(each)}
              {each === own && <span className="ml-1.5 text-12 font-normal text-ink-3">your system</span>}
            </Link>
          ))}
        </nav>
      )}
    </div>
  )
}

const LINK = { from: '/downloads', to: '/downloads', activeProps: {}, resetScroll: false, replace: true } as const
const ROW = 'inline-flex max-w-full flex-wrap gap-1 rounded-10 border border-line bg-surface-1 p-1'

function itemClass(chosen: boolean): string {
  return cx(
    'inline-flex min-h-8 items-center rounded-6 px-3 text-13 transition-colors duration-100 pointer-coarse:min-h-11',
    chosen ? 'bg-surface-2 font-medium text-ink-1 ring-1 ring-line ring-inset' : 'text-ink-2 hover:text-ink-1',
  )
}
