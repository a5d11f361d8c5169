import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { m } from '#messages'
import { cx } from '#web/ui/class-names.ts'
import { branchName, type DownloadsSearch, platformName } from './builds.ts'

interface ChoicesProps {
  branches: readonly string[]
  branch: string | undefined
  platforms: readonly string[]
  platform: string | undefined
  ownPlatform: string | undefined
}

export function Choices({ branches, branch, platforms, platform, ownPlatform }: ChoicesProps) {
  return (
    <div className="flex flex-wrap gap-x-6 gap-y-3">
      {branches.length > 0 && (
        <ChoiceRow label={m.downloads_branch()} name="branch" options={branches} selected={branch} nameOf={branchName} />
      )}
      {platforms.length > 1 && (
        <ChoiceRow
          label={m.downloads_platform()}
          name="platform"
          options={platforms}
          selected={platform}
          nameOf={(each) => (
            <>
              {platformName(each)}
              {each === ownPlatform && <span className="ml-1.5 text-12 font-normal text-ink-3">{m.downloads_platform_own()}</span>}
            </>
          )}
        />
      )}
    </div>
  )
}

interface ChoiceRowProps {
  label: string
  name: keyof DownloadsSearch
  options: readonly string[]
  selected: string | undefined
  nameOf: (each: string) => ReactNode
}

function ChoiceRow({ label, name, options, selected, nameOf }: ChoiceRowProps) {
  return (
    <nav aria-label={label} className="inline-flex max-w-full flex-wrap gap-1 rounded-10 border border-line bg-surface-1 p-1">
      {options.map((each, index) => (
        <Link
          key={each}
          from="/downloads"
          to="/downloads"
          activeProps={{}}
          resetScroll={false}
          replace
          search={(previous: DownloadsSearch) => ({ ...previous, [name]: index === 0 ? undefined : each })}
          aria-current={each === selected ? 'true' : undefined}
          className={cx(
            'inline-flex min-h-8 items-center rounded-6 px-3 text-13 transition-colors duration-100 pointer-coarse:min-h-11',
            each === selected ? 'bg-surface-2 font-medium text-ink-1 ring-1 ring-line ring-inset' : 'text-ink-2 hover:text-ink-1',
          )}
        >
          {nameOf(each)}
        </Link>
      ))}
    </nav>
  )
}
