import { useSuspenseQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { m } from '#messages'
import { branchDescription, branchesOf, platformsOf, selectBuilds, systemOf, visitorSystem } from '#web/features/downloads/builds.ts'
import { Choices } from '#web/features/downloads/choices.tsx'
import { downloadsOptions } from '#web/features/downloads/downloads.api.ts'
import { ManifestProblem, NoDownloads } from '#web/features/downloads/no-downloads.tsx'
import { ProductCard } from '#web/features/downloads/product-card.tsx'
import { isAdmin, meOptions } from '#web/features/session/session.api.ts'
import '#web/ui/mono.css'
import { useTitle } from '#web/lib/use-title.ts'
import { PageHeader } from '#web/ui/page-header.tsx'

/** The branch and the platform are in the URL. Defaults: the safest branch, and the visitor's platform. */
export function DownloadsPage() {
  const { data } = useSuspenseQuery(downloadsOptions)
  const { data: me } = useSuspenseQuery(meOptions)
  const search = useSearch({ from: '/member/downloads' })
  useTitle(m.nav_downloads())
  const visitor = visitorSystem(navigator.userAgent)
  const branches = branchesOf(data.products)
  const platforms = platformsOf(data.products, visitor)
  const branch = branches.find((each) => each === search.branch) ?? branches[0]
  const platform = platforms.find((each) => each === search.platform) ?? platforms[0]
  const first = data.products.find((product) => branch !== undefined && selectBuilds(product, branch, platform)?.isForPlatform === true)
  const ownPlatform = platforms.find((each) => visitor !== undefined && systemOf(each) === visitor)
  return (
    <>
      <PageHeader title={m.nav_downloads()} />
      {data.problem !== null && <ManifestProblem problem={data.problem} readAt={data.read_at} />}
      {branch === undefined ? (
        <NoDownloads state={data} isAdmin={isAdmin(me)} />
      ) : (
        <>
          <Choices branches={branches} branch={branch} platforms={platforms} platform={platform} ownPlatform={ownPlatform} />
          <p className="mt-2.5 mb-5 min-h-5 text-13 text-ink-3">{branchDescription(branch)}</p>
          <div className="space-y-5">
            {data.products.map((product) => (
              <ProductCard
                key={product.id}
                product={product}
                branch={branch}
                platform={platform}
                visitor={visitor}
                isFirst={product === first}
              />
            ))}
          </div>
        </>
      )}
    </>
  )
}
