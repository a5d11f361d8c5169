/** Draws images in a process of its own: its libraries and fonts take memory, and it reads uploaded images and names. */
import { writeFile } from 'node:fs/promises'
import { type OgImage, drawOgImage } from './draw-og-image.ts'

export type DrawReply = { readonly png: Uint8Array } | { readonly cause: string }

/** Makes Linux kill this process first when memory runs out. */
await writeFile('/proc/self/oom_score_adj', '1000').catch(() => undefined)

async function draw(image: OgImage): Promise<DrawReply> {
  try {
    return { png: await drawOgImage(image) }
  } catch (error) {
    return { cause: String(error) }
  }
}

process.on('message', (image: OgImage) => {
  void draw(image).then((reply) => process.send?.(reply))
})
process.on('disconnect', () => process.exit(0))
