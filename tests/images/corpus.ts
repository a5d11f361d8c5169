/** Image samples, valid, broken and disguised, with the expected result of each. */
import { randomBytes } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import type { Purpose } from '#contract/servers/images.ts'
import {
  PNG_SIGNATURE,
  box,
  chunk,
  losslessHead,
  png,
  resized,
  rowsOf,
  segment,
  corrupted,
  webp,
  withChunks,
  withSegments,
} from './bytes.ts'

export type Rgb = readonly [number, number, number]
type Corner = 'topLeft' | 'topRight' | 'bottomLeft' | 'bottomRight' | 'middle'

export interface Sample {
  readonly name: string
  readonly bytes: Buffer
  readonly purpose?: Purpose
  /** The rejection; undefined if the upload must succeed. */
  readonly rejected?: RegExp
  readonly type?: 'png' | 'jpeg' | 'webp'
  /** Colours that the result must show, approximately. */
  readonly shows?: Partial<Record<Corner, Rgb>>
  /** The file name that the client sends. */
  readonly filename?: string
  readonly mime?: string
}

const RED: Rgb = [220, 20, 20]
const GREEN: Rgb = [20, 200, 20]
const BLUE: Rgb = [20, 20, 220]
const WHITE: Rgb = [250, 250, 250]

const plain = (width: number, height: number, [r, g, b]: Rgb = RED, alpha?: number): Sharp =>
  sharp({
    create: { width, height, channels: alpha === undefined ? 3 : 4, background: { r, g, b, ...(alpha !== undefined && { alpha }) } },
  })

/** Red and green above, blue and white below. */
function quarters(width: number, height: number): Sharp {
  const raw = Buffer.alloc(4 * 3)
  ;[RED, GREEN, BLUE, WHITE].forEach((colour, index) => raw.set(colour, index * 3))
  return sharp(raw, { raw: { width: 2, height: 2, channels: 3 } }).resize(width, height, { kernel: 'nearest', fit: 'fill' })
}

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256"><rect width="256" height="256" fill="red"/></svg>'
const ENTITY = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${SVG.replace('</svg>', '<text>&x;</text></svg>')}`
const ONLY = /Upload a PNG, JPEG or WebP image\.$/
const DAMAGED = /^This image is damaged or incomplete/
const ANIMATED = /^This image is animated/
const is = (name: string) => new RegExp(`^This is ${name}\\. ${ONLY.source}`)

function others(): Sample[] {
  const text = (name: string, content: string, rejected: RegExp): Sample => ({
    name,
    bytes: Buffer.from(content, 'latin1'),
    rejected: rejected,
  })
  return [
    text('an empty file', '', /^The file is empty/),
    text('a text file', 'Hello, this is no picture.', /^This file isn't a readable image/),
    { name: 'random bytes', bytes: Buffer.concat([Buffer.from([7]), randomBytes(5000)]), rejected: /^This file isn't a readable image/ },
    text('an SVG', SVG, is('an SVG')),
    text('an SVG with a script', SVG.replace('<rect', '<script>alert(1)</script><rect'), is('an SVG')),
    text('an SVG with an external entity', ENTITY, is('an SVG')),
    { ...text('an SVG with the name and type of a PNG', SVG, is('an SVG')), filename: 'x.png', mime: 'image/png' },
    text('a GIF', 'GIF89a\u0001\0\u0001\0\u0080\0\0\0\0\0\u00ff\u00ff\u00ff,\0\0\0\0\u0001\0\u0001\0\0\u0002\u0002D\u0001\0;', is('a GIF')),
    text('a GIF that is also a script', 'GIF89a/*\0\0\0*/=1;alert(1)//', is('a GIF')),
    text('a little-endian TIFF', 'II*\0\u0008\0\0\0', is('a TIFF')),
    text('a big-endian TIFF', 'MM\0*\0\0\0\u0008', is('a TIFF')),
    text('a BMP', `BM${'\0'.repeat(60)}`, is('a BMP')),
    text('an icon', `\0\0\u0001\0\u0001\0${'\0'.repeat(60)}`, is('an icon file \\(ICO\\)')),
    { name: 'an AVIF', bytes: box('avif'), rejected: is('an AVIF') },
    { name: 'an HEIC', bytes: box('heic'), rejected: is('an HEIC') },
    text('a JPEG XL', `\u00ff\n${'\0'.repeat(60)}`, is('a JPEG XL')),
    text('a Photoshop file', `8BPS\0\u0001${'\0'.repeat(60)}`, is('a Photoshop file \\(PSD\\)')),
    text('a PDF', '%PDF-1.7\n1 0 obj', is('a PDF')),
    text('a ZIP', `PK\u0003\u0004${'\0'.repeat(60)}`, is('a ZIP file')),
    text('an HTML page', '<!DOCTYPE html><script>alert(1)</script>', is('a page \\(HTML\\)')),
    text('a WAV file in the container format of WebP', 'RIFF\u0010\0\0\0WAVEfmt \0\0\0\0', /^This file isn't a readable image/),
  ]
}

async function animations(): Promise<Sample[]> {
  const frames = [await plain(64, 64, RED).png().toBuffer(), await plain(64, 64, BLUE).png().toBuffer()]
  const still = await plain(64, 64).png().toBuffer()
  const control = chunk('acTL', Buffer.from('0000000200000000', 'hex'))
  const end = still.length - 12
  return [
    {
      name: 'an animated WebP',
      bytes: await sharp(frames, { join: { animated: true } })
        .webp()
        .toBuffer(),
      rejected: ANIMATED,
    },
    {
      name: 'an animated GIF',
      bytes: await sharp(frames, { join: { animated: true } })
        .gif()
        .toBuffer(),
      rejected: is('a GIF'),
    },
    { name: 'an animated PNG', bytes: withChunks(still, control), rejected: ANIMATED },
    {
      name: 'an animated PNG with a late control chunk',
      bytes: Buffer.concat([still.subarray(0, end), control, still.subarray(end)]),
      rejected: ANIMATED,
    },
    {
      name: 'a WebP with only the animation flag',
      bytes: webp(['VP8X', Buffer.from([2, 0, 0, 0, 63, 0, 0, 63, 0, 0])]),
      rejected: ANIMATED,
    },
  ]
}

async function tooLarge(): Promise<Sample[]> {
  const jpeg = await plain(64, 64).jpeg().toBuffer()
  const scans = await plain(64, 64).jpeg({ progressive: true }).toBuffer()
  const last = scans.lastIndexOf(Buffer.from([0xff, 0xda]))
  const again = Buffer.concat(Array.from({ length: 200 }, () => scans.subarray(last, scans.length - 2)))
  const shape = { width: 64, height: 64 }
  const pixels = deflateSync(Buffer.alloc(64 * (1 + 64 * 3)))
  const profile = Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(50_000_000), { level: 1 })])
  return [
    {
      name: 'a PNG of 900 megapixels in 70 bytes',
      bytes: png({ width: 30_000, height: 30_000 }),
      rejected: /^This image has 900 megapixels; the maximum is 40/,
    },
    {
      name: 'a PNG of 50 megapixels',
      bytes: await rowsOf({ width: 10_000, height: 5000, colour: 0 }, Buffer.alloc(10_000)),
      rejected: /has 50 megapixels/,
    },
    {
      name: 'a PNG of the largest possible width',
      bytes: png({ width: 2 ** 31 - 1, height: 1 }),
      rejected: DAMAGED,
    },
    { name: 'a PNG with a single long row', bytes: png({ width: 39_000_000, height: 1 }), rejected: /the maximum is 10240/ },
    { name: 'a JPEG of 4290 megapixels', bytes: resized(jpeg, 65_500, 65_500), rejected: /has 4290\.3 megapixels/ },
    { name: 'a WebP of 268 megapixels', bytes: webp(['VP8L', losslessHead(16_384, 16_384)]), rejected: DAMAGED },
    {
      name: 'an interlaced PNG of 40 megapixels with 16 bits',
      bytes: png({ width: 7900, height: 5060, depth: 16, colour: 6, isInterlaced: true }),
      rejected: /^This image is interlaced, which needs too much memory at this size\. Save it in another format/,
    },
    {
      name: 'a progressive JPEG of 40 megapixels',
      bytes: resized(scans, 7900, 5060),
      rejected: /^This image is a progressive JPEG, which needs too much memory/,
    },
    {
      name: 'a lossless WebP of 40 megapixels',
      bytes: webp(['VP8L', Buffer.concat([losslessHead(7900, 5060), Buffer.alloc(20)])]),
      rejected: /^This image is a lossless WebP, which needs too much memory/,
    },
    {
      name: 'a JPEG with two hundred scans',
      bytes: Buffer.concat([scans.subarray(0, -2), again, scans.subarray(-2)]),
      rejected: /^This JPEG has too many scans/,
    },
    {
      name: 'a PNG whose colour profile decompresses to 50 MB',
      bytes: png(shape, pixels, [chunk('iCCP', profile)]),
      type: 'png',
    },
    {
      name: 'a JPEG with a wrong number of bits per colour',
      bytes: corrupted(jpeg, jpeg.indexOf(Buffer.from([0xff, 0xc0])) + 4),
      rejected: DAMAGED,
    },
  ]
}

async function broken(): Promise<Sample[]> {
  const picture = quarters(300, 300)
  const [pngFile, jpeg, webpFile] = [await picture.png().toBuffer(), await noisy().jpeg().toBuffer(), await noisy().webp().toBuffer()]
  const noisyPng = await noisy().png().toBuffer()
  const shape = { width: 64, height: 64 }
  const cut = (name: string, file: Buffer, length: number): Sample => ({
    name: `${name}, cut off after ${length} of ${file.length} bytes`,
    bytes: file.subarray(0, length),
    rejected: DAMAGED,
  })
  return [
    { name: 'half a signature', bytes: PNG_SIGNATURE.subarray(0, 5), rejected: /^This file isn't a readable image/ },
    ...[8, 20, 40, 5000, noisyPng.length - 13].map((length) => cut('a PNG', noisyPng, length)),
    ...[3, 30, 300, 5000, Math.floor(jpeg.length / 2)].map((length) => cut('a JPEG', jpeg, length)),
    ...[12, 20, 40, 5000, webpFile.length - 50].map((length) => cut('a WebP', webpFile, length)),
    { name: 'a WebP with truncated pixels and correct lengths', bytes: webp(['VP8 ', webpFile.subarray(20, 2000)]), rejected: DAMAGED },
    { name: 'a PNG with a wrong header checksum', bytes: corrupted(pngFile, 30), rejected: DAMAGED },
    { name: 'a PNG with a wrong pixel checksum', bytes: corrupted(noisyPng, noisyPng.length - 14), rejected: DAMAGED },
    { name: 'a PNG with corrupted pixels', bytes: corrupted(noisyPng, 5000), rejected: DAMAGED },
    { name: 'a PNG with pixels that are not zlib data', bytes: png(shape, randomBytes(500)), rejected: DAMAGED },
    { name: 'a PNG with half of its rows', bytes: png(shape, deflateSync(Buffer.alloc(32 * (1 + 64 * 3)))), rejected: DAMAGED },
    { name: 'a PNG without pixels', bytes: Buffer.concat([png(shape).subarray(0, 33), chunk('IEND')]), rejected: DAMAGED },
    {
      name: 'a PNG without a header',
      bytes: Buffer.concat([PNG_SIGNATURE, chunk('IDAT', deflateSync('')), chunk('IEND')]),
      rejected: DAMAGED,
    },
    { name: 'a PNG of width 0', bytes: png({ width: 0, height: 64 }), rejected: DAMAGED },
    { name: 'a PNG of height 0', bytes: png({ width: 64, height: 0 }), rejected: DAMAGED },
    { name: 'a JPEG of height 0', bytes: resized(jpeg, 300, 0), rejected: DAMAGED },
    {
      name: 'a PNG chunk that claims four gigabytes',
      bytes: Buffer.concat([pngFile.subarray(0, 33), Buffer.from('ffffffff', 'hex'), pngFile.subarray(37)]),
      rejected: DAMAGED,
    },
  ]
}

function noisy(): Sharp {
  return sharp({ create: { width: 300, height: 300, channels: 3, background: 'black', noise: { type: 'gaussian', mean: 128, sigma: 30 } } })
}

async function kinds(): Promise<Sample[]> {
  const middle = { middle: RED }
  const deep = (colour: 0 | 2 | 4 | 6, ...values: readonly number[]) =>
    rowsOf(
      { width: 100, height: 100, depth: 16, colour },
      Buffer.from(Array.from({ length: 100 }, () => values.flatMap((value) => [value, 0])).flat()),
    )
  const p3 = await plain(200, 200).withIccProfile('p3').png().toBuffer()
  return [
    {
      name: 'a JPEG in CMYK',
      bytes: await plain(300, 300, WHITE).toColourspace('cmyk').jpeg().toBuffer(),
      type: 'jpeg',
      shows: { middle: WHITE },
    },
    { name: 'a grey JPEG', bytes: await plain(300, 300, WHITE).greyscale().jpeg().toBuffer(), type: 'jpeg', shows: { middle: WHITE } },
    { name: 'a progressive JPEG', bytes: await plain(300, 300).jpeg({ progressive: true }).toBuffer(), type: 'jpeg', shows: middle },
    { name: 'a grey PNG with 16 bits', bytes: await deep(0, 250), type: 'png', shows: { middle: WHITE } },
    { name: 'a PNG with 16 bits', bytes: await deep(2, ...RED), type: 'png', shows: middle },
    { name: 'a PNG with 16 bits and alpha', bytes: await deep(6, ...RED, 255), type: 'png', shows: middle },
    {
      name: 'a grey PNG with alpha',
      bytes: await rowsOf({ width: 50, height: 50, colour: 4 }, Buffer.alloc(100, 250)),
      type: 'png',
      shows: { middle: WHITE },
    },
    {
      name: 'a PNG with one bit per pixel',
      bytes: await rowsOf({ width: 64, height: 64, depth: 1, colour: 0 }, Buffer.alloc(8, 255)),
      type: 'png',
      shows: { middle: [255, 255, 255] },
    },
    {
      name: 'a PNG with a palette',
      bytes: await quarters(300, 300).png({ palette: true }).toBuffer(),
      type: 'png',
      shows: { topLeft: RED, bottomRight: WHITE },
    },
    {
      name: 'an interlaced PNG',
      bytes: await quarters(300, 300).png({ progressive: true }).toBuffer(),
      type: 'png',
      shows: { topLeft: RED, bottomLeft: BLUE },
    },
    { name: 'a PNG with another colour space', bytes: p3, type: 'png', shows: middle },
    {
      name: 'a lossless WebP',
      bytes: await quarters(300, 300).webp({ lossless: true }).toBuffer(),
      type: 'webp',
      shows: { topRight: GREEN },
    },
    { name: 'a WebP with alpha', bytes: await plain(300, 300, RED, 0.9).webp().toBuffer(), type: 'webp', shows: middle },
    ...(await Promise.all(
      (['png', 'jpeg', 'webp'] as const).map(async (type) => ({
        name: `one pixel as ${type}`,
        bytes: await plain(1, 1).toFormat(type).toBuffer(),
        type,
        shows: middle,
      })),
    )),
    {
      name: 'a banner of the exact size',
      bytes: await quarters(1280, 320).png().toBuffer(),
      purpose: 'BANNER',
      type: 'png',
      shows: { topLeft: RED, bottomRight: WHITE },
    },
    {
      name: 'a photograph as a background',
      bytes: await quarters(4000, 3000).jpeg().toBuffer(),
      purpose: 'JOIN_BACKGROUND',
      type: 'jpeg',
      shows: { topLeft: RED, topRight: GREEN },
    },
    { name: 'a column of pixels', bytes: await plain(1, 40_000).png().toBuffer(), purpose: 'BANNER', type: 'png', shows: middle },
    {
      name: 'a row of pixels',
      bytes: await plain(10_240, 1).png().toBuffer(),
      purpose: 'LAUNCHER_BACKGROUND',
      type: 'png',
      shows: middle,
    },
    { name: 'a long WebP', bytes: await plain(3000, 100).webp().toBuffer(), type: 'webp', shows: middle },
    {
      name: 'a JPEG with the name and type of an SVG',
      bytes: await plain(99, 99).jpeg().toBuffer(),
      filename: 'x.svg',
      mime: 'image/svg+xml',
      type: 'jpeg',
      shows: middle,
    },
    {
      name: 'a WebP without a name or type',
      bytes: await plain(99, 99).webp().toBuffer(),
      filename: ' ',
      mime: 'application/octet-stream',
      type: 'webp',
      shows: middle,
    },
  ]
}

async function largest(): Promise<Sample[]> {
  const shape = { width: 7900, height: 5060 }
  const background = { purpose: 'JOIN_BACKGROUND', shows: { middle: RED } } as const
  return [
    {
      name: '40 megapixels as a PNG',
      bytes: await rowsOf({ ...shape, colour: 2 }, Buffer.alloc(7900 * 3, Buffer.from(RED))),
      type: 'png',
      ...background,
    },
    {
      name: '40 megapixels as a PNG with 16 bits and alpha',
      bytes: await rowsOf({ ...shape, depth: 16, colour: 6 }, Buffer.alloc(7900 * 8, 200)),
      purpose: 'JOIN_BACKGROUND',
      rejected: /^This image is saved with 16 bits per colour, which needs too much memory/,
    },
    {
      name: 'the largest PNG with 16 bits and alpha',
      bytes: await rowsOf({ width: 2600, height: 3900, depth: 16, colour: 6 }, Buffer.alloc(2600 * 8, 200)),
      purpose: 'JOIN_BACKGROUND',
      type: 'png',
      shows: { middle: [200, 200, 200] },
    },
    {
      name: '40 megapixels as a JPEG',
      bytes: await quarters(7900, 5060).jpeg({ quality: 50 }).toBuffer(),
      purpose: 'JOIN_BACKGROUND',
      type: 'jpeg',
      shows: { topLeft: RED, bottomRight: WHITE },
    },
    { name: '40 megapixels as a WebP', bytes: await plain(7900, 5060).webp({ effort: 0 }).toBuffer(), type: 'webp', ...background },
    {
      name: '8 megapixels as a progressive JPEG',
      bytes: await plain(4000, 2000).jpeg({ progressive: true }).toBuffer(),
      type: 'jpeg',
      ...background,
    },
    {
      name: '8 megapixels as an interlaced PNG',
      bytes: await plain(4000, 2000).png({ progressive: true }).toBuffer(),
      type: 'png',
      ...background,
    },
    {
      name: '6 megapixels as a lossless WebP',
      bytes: await plain(3000, 2000).webp({ lossless: true, effort: 0 }).toBuffer(),
      type: 'webp',
      ...background,
    },
    {
      name: '35 megapixels with a rotated orientation',
      bytes: await quarters(7000, 5000).withMetadata({ orientation: 6 }).jpeg({ quality: 50 }).toBuffer(),
      type: 'jpeg',
      shows: cornersOf(6),
    },
  ]
}

/** One image to the eye, thousands of chunks to a decoder. */
async function manyChunks(): Promise<Sample[]> {
  const file = await plain(256, 256).png().toBuffer()
  const profile = chunk('iCCP', Buffer.concat([Buffer.from('a\0\0'), deflateSync(Buffer.alloc(4 * 1024 * 1024 - 10), { level: 9 })]))
  const many = (count: number, one: Buffer) => Buffer.alloc(count * one.length, one)
  const shows = { middle: RED }
  const significant = chunk('sBIT', Buffer.from([8, 8, 8]))
  const header = file.subarray(8, 33)
  const tooManyChunks = /^This PNG has too many chunks/
  return [
    { name: 'a PNG with 2000 colour profiles', bytes: withChunks(file, many(2000, profile)), type: 'png', shows },
    { name: 'a PNG with 10,000 sBIT chunks', bytes: withChunks(file, many(10_000, significant)), type: 'png', shows },
    { name: 'a PNG with 10,000 empty IDAT chunks', bytes: withChunks(file, many(10_000, chunk('IDAT'))), rejected: DAMAGED },
    { name: 'a PNG with 400,000 sBIT chunks', bytes: withChunks(file, many(400_000, significant)), rejected: tooManyChunks },
    { name: 'a PNG with 600,000 empty IDAT chunks', bytes: withChunks(file, many(600_000, chunk('IDAT'))), rejected: tooManyChunks },
    { name: 'a PNG with two headers', bytes: withChunks(file, header), rejected: DAMAGED },
  ]
}

/** The colours of the quarters, by the orientation of the file. */
function cornersOf(orientation: number): Record<'topLeft' | 'topRight' | 'bottomLeft' | 'bottomRight', Rgb> {
  const [a, b, c, d] = [RED, GREEN, BLUE, WHITE]
  const seen = {
    1: [a, b, c, d],
    2: [b, a, d, c],
    3: [d, c, b, a],
    4: [c, d, a, b],
    5: [a, c, b, d],
    6: [c, a, d, b],
    7: [d, b, c, a],
    8: [b, d, a, c],
  }[orientation]
  const [topLeft = a, topRight = b, bottomLeft = c, bottomRight = d] = seen ?? []
  return { topLeft, topRight, bottomLeft, bottomRight }
}

async function orientations(): Promise<Sample[]> {
  const samples: Sample[] = []
  for (let orientation = 1; orientation <= 8; orientation += 1) {
    const type = orientation % 2 === 0 ? 'jpeg' : 'webp'
    const bytes = await quarters(400, 400).withMetadata({ orientation }).toFormat(type, { quality: 95 }).toBuffer()
    samples.push({ name: `orientation ${orientation}`, bytes, type, shows: cornersOf(orientation) })
  }
  const wide = await quarters(5000, 2000).withMetadata({ orientation: 5 }).png().toBuffer()
  samples.push({ name: 'orientation 5 of a large PNG', bytes: wide, purpose: 'LAUNCHER_BACKGROUND', type: 'png', shows: cornersOf(5) })
  return samples
}

async function carriers(): Promise<Sample[]> {
  const pngFile = await plain(200, 200).png().toBuffer()
  const jpeg = await plain(200, 200).jpeg().toBuffer()
  const webpFile = await plain(200, 200).webp().toBuffer()
  const script = Buffer.from('<script>alert(document.domain)</script>')
  const filled = Buffer.concat([Buffer.from('Comment\0\0'), deflateSync(Buffer.alloc(100_000_000))])
  const shows = { middle: RED }
  return [
    { name: 'a PNG followed by HTML', bytes: Buffer.concat([pngFile, script]), type: 'png', shows },
    {
      name: 'a PNG with a script in a text chunk',
      bytes: withChunks(pngFile, chunk('tEXt', Buffer.concat([Buffer.from('Comment\0'), script]))),
      type: 'png',
      shows,
    },
    { name: 'a JPEG followed by a ZIP', bytes: Buffer.concat([jpeg, Buffer.from('PK\u0003\u0004'), script]), type: 'jpeg', shows },
    { name: 'a JPEG with a script in a comment', bytes: withSegments(jpeg, segment(0xfe, script)), type: 'jpeg', shows },
    { name: 'a WebP followed by HTML', bytes: Buffer.concat([webpFile, script]), type: 'webp', shows },
    {
      name: 'a PNG with text chunks that each decompress to 100 MB',
      bytes: withChunks(pngFile, ...Array.from({ length: 10 }, () => chunk('zTXt', filled))),
      type: 'png',
      shows,
    },
    {
      name: 'a PNG with a wrong text checksum',
      bytes: withChunks(pngFile, corrupted(chunk('tEXt', Buffer.from('Comment\0x')), 10)),
      type: 'png',
      shows,
    },
    {
      name: 'a PNG with seven megabytes of text',
      bytes: withChunks(pngFile, chunk('tEXt', Buffer.concat([Buffer.from('C\0'), Buffer.alloc(7_000_000, 65)]))),
      type: 'png',
      shows,
    },
    {
      name: 'a JPEG with a hundred metadata segments',
      bytes: withSegments(jpeg, ...Array.from({ length: 100 }, () => segment(0xe1, Buffer.alloc(65_000, 65)))),
      type: 'jpeg',
      shows,
    },
  ]
}

/** Creates all samples. */
export async function makeCorpus(): Promise<Sample[]> {
  const groups = [others(), animations(), tooLarge(), broken(), kinds(), orientations(), carriers(), manyChunks(), largest()]
  return (await Promise.all(groups.map((group) => Promise.resolve(group)))).flat()
}
