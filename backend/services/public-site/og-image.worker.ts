/** Draws images in a process of its own: its libraries and fonts take memory, and it reads uploaded images and names. */
import { serveJobs } from '#backend/platform/concurrency/serve-jobs.ts'
import { type OgImage, drawOgImage } from './draw-og-image.ts'

export type DrawReply = { readonly png: Uint8Array } | { readonly cause: string }

await serveJobs<OgImage, DrawReply>(async (image) => {
  try {
    return { png: await drawOgImage(image) }
  } catch (error) {
    return { cause: String(error) }
  }
})
