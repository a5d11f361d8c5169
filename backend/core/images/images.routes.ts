/** Binds uploads in their own Fastify scope: no other route accepts forms or bodies of this size. */
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/servers/images.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { acceptForms } from '#backend/platform/http/form.ts'
import type { ImageServices } from './image-services.ts'
import { upload } from './upload.ts'

export async function bindImages(
  panel: FastifyInstance,
  bindIn: (scope: FastifyInstance) => Bind,
  deps: Deps,
  services: ImageServices,
): Promise<void> {
  await panel.register(async (scope) => {
    await acceptForms(scope)
    bindIn(scope)(contract.upload, ({ caller, request }) => upload(deps, services, caller.userId, request))
  })
}
