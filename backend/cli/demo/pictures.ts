/** Draws icons and banners, and stores them as uploaded images are. Without text, because a machine may have no fonts. */
import sharp from 'sharp'
import { v7 as uuidv7 } from 'uuid'
import { PURPOSES, type Purpose } from '#contract/servers/images.ts'
import type { Db } from '#backend/platform/database/open.ts'
import { randomBase62 } from '#backend/platform/random-id.ts'
import { type ImageStorage, RANDOM_LENGTH } from '#backend/core/images/storage.ts'
import { Random } from '#backend/cli/simulate/profiles.ts'

const MIME = 'image/webp'

/** Returns the ID of the stored image. The same seed draws the same picture. */
export async function storePicture(db: Db, storage: ImageStorage, ownerId: string, purpose: Purpose, seed: number): Promise<string> {
  const { width, height } = PURPOSES[purpose]
  const bytes = await sharp(Buffer.from(draw(new Random(seed * 7919), width, height)))
    .webp({ quality: 88 })
    .toBuffer()
  const [id, file] = [uuidv7(), `${randomBase62(RANDOM_LENGTH)}.webp`]
  await storage.put(file, bytes, MIME)
  const row = { id, owner_id: ownerId, purpose, file, width, height, mime: MIME, bytes: bytes.length }
  await db.insertInto('images').values(row).execute()
  return id
}

/** A skyline at dusk for a wide picture, an emblem for a square one. */
function draw(random: Random, width: number, height: number): string {
  const hue = Math.floor(random.next() * 360)
  const sky = `<linearGradient id="sky" x2="0.4" y2="1"><stop stop-color="hsl(${hue} 60% 32%)"/><stop offset="1" stop-color="hsl(${(hue + 50) % 360} 70% 58%)"/></linearGradient>`
  const shapes = width > height ? skyline(random, hue, width, height) : emblem(random, hue, width, height)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>${sky}</defs><rect width="100%" height="100%" fill="url(#sky)"/>${shapes}</svg>`
}

function skyline(random: Random, hue: number, width: number, height: number): string {
  const sun = `<circle cx="${random.between(0.2, 0.8) * width}" cy="${height * 0.55}" r="${height * 0.28}" fill="hsl(${(hue + 40) % 360} 90% 78%)" opacity="0.8"/>`
  const row = (top: number, colour: string) => {
    let houses = ''
    for (let x = 0; x < width;) {
      const [house, y] = [random.between(0.02, 0.06) * width, random.between(top, 0.85) * height]
      houses += `<rect x="${x}" y="${y}" width="${house + 1}" height="${height}" fill="${colour}"/>`
      x += house
    }
    return houses
  }
  return sun + row(0.4, `hsl(${hue} 40% 26%)`) + row(0.62, `hsl(${hue} 45% 14%)`)
}

function emblem(random: Random, hue: number, width: number, height: number): string {
  const [cx, cy, corners] = [width / 2, height / 2, 3 + Math.floor(random.next() * 5)]
  const polygon = (radius: number, turn: number, colour: string) => {
    const points = Array.from({ length: corners }, (_, corner) => {
      const angle = ((corner + turn) / corners) * 2 * Math.PI - Math.PI / 2
      return `${cx + radius * width * Math.cos(angle)},${cy + radius * height * Math.sin(angle)}`
    })
    return `<polygon points="${points.join(' ')}" fill="${colour}"/>`
  }
  const core = `<circle cx="${cx}" cy="${cy}" r="${random.between(0.07, 0.13) * width}" fill="hsl(${hue} 60% 24%)"/>`
  return polygon(0.4, 0, `hsl(${(hue + 180) % 360} 70% 88%)`) + polygon(0.27, 0.5, `hsl(${(hue + 30) % 360} 80% 52%)`) + core
}
