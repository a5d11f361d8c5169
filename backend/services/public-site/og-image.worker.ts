/** Draws images in a process of its own: its libraries and fonts take memory, and it reads uploaded images and names. */
import { serveJobs } from '#backend/platform/concurrency/serve-jobs.ts'
import { type OgImage, drawOgImage } from './draw-og-image.ts'

export interface DrawReply {
  readonly png: Uint8Array
}

await serveJobs<OgImage, DrawReply>(async (image) => ({ png: await drawOgImage(image) }))
