import { expect, test } from 'vitest'
import { m } from '#messages'
import { assertSupportedImage } from './image-type.ts'

const PNG = '\u0089PNG\r\n\u001a\n'

const fileOf = (text: string) => new Blob([Uint8Array.from(text, (each) => each.codePointAt(0) ?? 0)], { type: 'image/png' })
const resultOf = (text: string) =>
  assertSupportedImage(fileOf(text)).then(
    () => 'accepted',
    (error: Error) => error.message,
  )
const be = (length: number) => `\0\0\0${String.fromCodePoint(length)}`
const le = (length: number) => `${String.fromCodePoint(length)}\0\0\0`
const chunk = (type: string, data = '') => `${be(data.length)}${type}${data}....`
const webp = (...parts: [type: string, data: string][]) =>
  `RIFF\u0060\0\0\0WEBP${parts.map(([type, data]) => `${type}${le(data.length)}${data}${data.length % 2 ? '\0' : ''}`).join('')}`

test.each([
  ['a PNG', PNG + chunk('IHDR', 'x'.repeat(13)) + chunk('IDAT', 'acTL') + chunk('IEND')],
  ['a truncated PNG', PNG + chunk('IHDR', 'x'.repeat(13)) + be(99)],
  ['a JPEG', '\u00ff\u00d8\u00ff\u00e0'],
  ['a WebP', webp(['VP8 ', 'ANIM'])],
  ['a WebP with alpha and an odd chunk', webp(['VP8X', '\u0010\0\0\0..'], ['ALPH', 'x'], ['VP8 ', 'y'])],
])('%s is accepted', async (_what, text) => {
  expect(await resultOf(text)).toBe('accepted')
})

test.each([
  ['an animated PNG', PNG + chunk('IHDR', 'x'.repeat(13)) + chunk('acTL', '12345678') + chunk('IDAT')],
  ['an animated PNG with a late animation chunk', PNG + chunk('IHDR', 'x'.repeat(13)) + chunk('IDAT', 'y') + chunk('acTL', '12345678')],
  ['an animated WebP by its flags', webp(['VP8X', '\u0012\0\0\0..'])],
  ['an animated WebP by its chunks', webp(['VP8X', '\u0010\0\0\0..'], ['ALPH', 'x'], ['ANIM', '......'])],
])('%s is rejected as animated', async (_what, text) => {
  expect(await resultOf(text)).toBe(m.images_animated())
})

test.each([
  ['GIF89a', 'This is a GIF.'],
  ['BM....', 'This is a BMP.'],
  ['II*\0....', 'This is a TIFF.'],
  ['\0\0\0\u001cftypavif', 'This is an AVIF.'],
  ['\0\0\0\u001cftypheic', 'This is an HEIC.'],
  ['<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>', 'This is an SVG.'],
  ['Hello, this is not an image.', 'This file isn’t a readable image.'],
  ['RIFF\u0010\0\0\0WAVEfmt ', 'This file isn’t a readable image.'],
  ['', 'The file is empty.'],
])('an unsupported type is detected from the bytes, whatever the content type: %j', async (text, sentence) => {
  expect(await resultOf(text)).toBe(`${sentence} Upload a PNG, JPEG or WebP image.`)
})
