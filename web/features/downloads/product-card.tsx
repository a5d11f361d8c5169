import { Link } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import type { Build, Product } from '#contract/public-site/downloads.ts'
import { m } from '#messages'
import { buttonClass } from '#web/ui/button.tsx'
import { cx } from '#web/ui/class-names.ts'
import { BuildDate, Checksum, Commands, fileName, Notes, OlderBuilds } from './build-details.tsx'
import { sizeText } from '#web/lib/format.ts'
import {
  ANY_PLATFORM,
  branchesOf,
  branchName,
  type DownloadsSearch,
  platformName,
  selectBuilds,
  type SelectedBuilds,
  type System,
  systemOf,
} from './builds.ts'

interface ProductCardProps {
  product: Product
  branch: string
  platform: string | undefined
  visitor: System | undefined
  isFirst: boolean
}

export function ProductCard({ product, branch, platform, visitor, isFirst }: ProductCardProps) {
  const selected = selectBuilds(product, branch, platform)
  const id = `product-${product.id}`
  return (
    <section aria-labelledby={id} className="card overflow-hidden">
      <div className="px-4 pt-4 sm:px-5 sm:pt-5">
        <h2 id={id} className="text-16 font-semibold [overflow-wrap:anywhere]">
          {product.name}
        </h2>
        {product.description !== '' && (
          <p className="mt-0.5 max-w-2xl text-13 text-pretty text-ink-2 [overflow-wrap:anywhere]">{product.description}</p>
        )}
      </div>
      {selected === undefined ? (
        <NoBuild product={product} branch={branch} />
      ) : (
        <CurrentBuild product={product} selected={selected} visitor={visitor} isFirst={isFirst} />
      )}
    </section>
  )
}

type CurrentBuildProps = Pick<ProductCardProps, 'product' | 'visitor' | 'isFirst'> & { selected: SelectedBuilds }

function CurrentBuild({ product, selected, visitor, isFirst }: CurrentBuildProps) {
  const { build, isForPlatform, otherPlatforms, older } = selected
  const name = `${product.name} ${build.version}`
  return (
    <>
      <div
        className={cx(
          'grid grid-cols-1 gap-x-8 gap-y-5 px-4 py-4 sm:px-5 sm:pb-5',
          build.notes !== '' && 'lg:grid-cols-[minmax(0,1fr)_360px]',
        )}
      >
        <div className="min-w-0">
          <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
            <div className="min-w-0">
              <p className="text-28 font-semibold tracking-[-0.02em] [overflow-wrap:anywhere] tabular-nums">{build.version}</p>
              <BuildFacts build={build} isForPlatform={isForPlatform} />
            </div>
            <div className="max-sm:w-full">
              <DownloadLink build={build} product={product.name} variant={isFirst ? 'primary' : 'secondary'} />
              {otherPlatforms.length > 0 && <OtherPlatforms builds={otherPlatforms} product={product.name} version={build.version} />}
            </div>
          </div>
          <div className="mt-4">
            <Checksum sha256={build.sha256} of={name} />
          </div>
        </div>
        {build.notes !== '' && (
          <div className="min-w-0 border-line max-lg:border-t max-lg:pt-4 lg:border-l lg:pl-6">
            <h3 className="text-13 font-medium">{m.downloads_notes()}</h3>
            <div className="mt-1">
              <Notes text={build.notes} />
            </div>
          </div>
        )}
      </div>
      <Commands build={build} name={`${name}, ${platformName(build.platform)}`} onWindows={visitor === 'Windows'} />
      {older.length > 0 && <OlderBuilds product={product.name} builds={older} />}
    </>
  )
}

function BuildFacts({ build, isForPlatform }: { build: Build; isForPlatform: boolean }) {
  return (
    <p className="mt-0.5 text-13 text-ink-3">
      <span className={isForPlatform ? undefined : 'text-warn'}>
        {(isForPlatform ? m.downloads_for : m.downloads_for_only)({ platform: platformName(build.platform) })}
      </span>{' '}
      · <BuildDate at={build.date} /> · {sizeText(build.size)}
      <span className="block font-mono text-12 break-all">{fileName(build.url)}</span>
    </p>
  )
}

function DownloadLink({ build, product, variant }: { build: Build; product: string; variant: 'primary' | 'secondary' }) {
  const system = systemOf(build.platform)
  return (
    <a href={build.url} download className={buttonClass(variant, 'max-sm:w-full sm:min-h-11 sm:px-5')}>
      <Download size={17} aria-hidden="true" />
      <span>
        {build.platform === ANY_PLATFORM ? m.downloads_download() : m.downloads_download_for({ platform: system ?? build.platform })}
        <span className="sr-only">{` (${product} ${build.version})`}</span>
      </span>
    </a>
  )
}

function OtherPlatforms({ builds, product, version: shown }: { builds: readonly Build[]; product: string; version: string }) {
  const nameOf = ({ platform: key, version }: Build) => {
    const platform = platformName(key)
    return version === shown
      ? { name: platform, label: m.downloads_download_other({ product, platform }) }
      : { name: `${platform}, ${version}`, label: m.downloads_download_other_version({ product, platform, version }) }
  }
  return (
    <p className="mt-1 flex flex-wrap items-center gap-x-3 text-13 text-ink-3 sm:justify-end">
      <span>{m.downloads_also_for()}</span>
      {builds.map((build) => (
        <a
          key={build.platform}
          href={build.url}
          download
          aria-label={nameOf(build).label}
          className="inline-flex min-h-8 items-center rounded-6 text-accent underline underline-offset-2 pointer-coarse:min-h-11"
        >
          {nameOf(build).name}
        </a>
      ))}
    </p>
  )
}

function NoBuild({ product, branch }: { product: Product; branch: string }) {
  const [other] = branchesOf([product])
  const newest = product.builds.find((build) => build.branch === other)
  return (
    <p className="px-4 pt-3 pb-5 text-13 text-ink-2 sm:px-5">
      {m.downloads_on_branch_none({ branch: branchName(branch) })}{' '}
      {other === undefined || newest === undefined ? (
        m.downloads_product_none()
      ) : (
        <Link
          from="/downloads"
          to="/downloads"
          search={(previous: DownloadsSearch) => ({ ...previous, branch: other })}
          activeProps={{}}
          className="inline-flex min-h-6 items-center rounded-6 text-accent underline underline-offset-2"
        >
          {m.downloads_on_branch({ branch: branchName(other), version: newest.version })}
        </Link>
      )}
    </p>
  )
}
