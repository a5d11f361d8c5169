/** Binds uploads in their own Fastify scope: no other route accepts forms or bodies of this size. */
import type { FastifyInstance } from 'fastify'
import * as contract from '#contract/images.ts'
import type { Deps } from '#backend/platform/deps.ts'
import type { Bind } from '#backend/platform/http/bind.ts'
import { acceptForms } from '#backend/platform/http/form.ts'
import { createRateLimit } from '#backend/platform/http/rate-limit.ts'
import type { ImageServices } from './image-services.ts'
import { upload } from './upload.ts'

/** Enough for a whole launcher theme with some retries. Decoding costs more than most calls. */
const UPLOADS = { burst: 30, perSecond: 1 / 10 }

export async function bindImages(
  panel: FastifyInstance,
  bindIn: (scope: FastifyInstance) => Bind,
  deps: Deps,
  services: ImageServices,
): Promise<void> {
  const uploads = createRateLimit(deps, 'uploads', UPLOADS)
  await panel.register(async (scope) => {
    await acceptForms(scope)
    bindIn(scope)(contract.upload, ({ caller, request }) => {
      uploads.take(caller.userId)
      return upload(deps, services, caller.userId, request)
    })
  })
}
