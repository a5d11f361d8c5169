/** How players reach a server, for its owner and their managers. */
import * as contract from '#contract/servers/endpoint.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import type { Deps } from '#backend/platform/deps.ts'
import { getOwnedOrManagedServer } from '#backend/core/servers/servers.ts'
import type { RunningMasterList } from '#backend/masterlist/masterlist.ts'
import { currentProofOf, endpointOf } from '#backend/masterlist/registry/endpoint.ts'
import { listedEndpoint } from '#backend/masterlist/registry/listed-row.ts'
import { sourcesOf } from '#backend/masterlist/registry/sources.ts'
import type { Probing } from './probing.ts'
import { findProvenAt } from './proofs.queries.ts'

export function bindEndpoints(bind: Bind, { db }: Pick<Deps, 'db'>, { registry }: RunningMasterList, probing: Probing): void {
  bind(contract.get, async ({ caller, params }) => {
    const { public_id: publicId } = await getOwnedOrManagedServer(db, caller.userId, params.id)
    return presentEndpoint(registry.get(publicId), await findProvenAt(db, publicId))
  })

  bind(contract.test, async ({ caller, params }) => {
    const { public_id: publicId } = await getOwnedOrManagedServer(db, caller.userId, params.id)
    probing.test(publicId, caller.userId)
  })
}

/** @param provenAt when the stored proof was last renewed. */
function presentEndpoint(
  server: ReturnType<RunningMasterList['registry']['get']>,
  provenAt: Date | undefined,
): contract.ServerEndpoint | null {
  const endpoint = server && endpointOf(server)
  if (server?.announced === undefined || endpoint === undefined) return null
  const { host, port, probe } = server.announced
  const proof = currentProofOf(server)
  const { address, addresses } = listedEndpoint(server)
  return {
    address,
    addresses,
    sources: sourcesOf(server),
    host,
    port,
    probe,
    state: endpoint.isUnproven ? 'unproven' : endpoint.proven.length > 0 ? 'proven' : 'source',
    proven_at: proof === undefined ? null : (provenAt?.toISOString() ?? null),
    failure: proof?.failure ?? '',
    failed_at: proof?.failedAt === undefined ? null : new Date(proof.failedAt).toISOString(),
  }
}
