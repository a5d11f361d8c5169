/** Brings a picture to the size that is asked for, in the browser (product.md section 5). */

export interface Size {
  readonly width: number
  readonly height: number
}

/** A part of a picture, in its own pixels, the way up that it is shown. */
export interface Area extends Size {
  readonly x: number
  readonly y: number
}

/** More would take most of a phone's memory to open: 100 megapixels are 400 MB. */
const MOST_PIXELS = 100_000_000
/** JPEG and WebP; the backend encodes once more, so little may be lost here. */
const QUALITY = 0.95

/** Lets through files that say they are images. @throws Error with the sentence for people. */
export function expectImage(file: Blob): void {
  if (!file.type.startsWith('image/')) throw new Error('Invalid file type. Expected an image.')
}

/**
 * The picture's part in the requested size in pixels: the given area, else as much of its middle as covers that size. It keeps its type where
 * the browser can write it (else it becomes a PNG, and says so by its type). A picture that has the size already is passed on untouched.
 * @throws Error with a sentence for people.
 */
export async function cropImage(file: Blob, to: Size, area?: Area): Promise<Blob> {
  expectImage(file)
  const url = URL.createObjectURL(file)
  try {
    const shown = await loadPicture(url)
    const size = { width: shown.naturalWidth, height: shown.naturalHeight }
    const part = area ?? middleOf(size, to)
    if (isSameSize(size, to) && isSameSize(part, size)) return file
    // Some kinds, drawings for example, are known to the image element alone.
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => shown)
    try {
      return await encode(draw(picture, part, to), file.type)
    } finally {
      if ('close' in picture) picture.close()
    }
  } finally {
    URL.revokeObjectURL(url)
  }
}

/** The picture at an address, loaded, turned as its EXIF says. @throws Error with a sentence for people. */
export async function loadPicture(url: string): Promise<HTMLImageElement> {
  const picture = new Image()
  picture.src = url
  await new Promise<void>((resolve, reject) => {
    picture.addEventListener('load', () => resolve())
    picture.addEventListener('error', () =>
      reject(new Error('This picture can’t be opened. It may be damaged, or of a kind that this browser does not know.')),
    )
  })
  const pixels = picture.naturalWidth * picture.naturalHeight
  if (pixels === 0) throw new Error('This picture has no size of its own. Save it as PNG, JPEG or WebP first.')
  if (pixels > MOST_PIXELS) {
    throw new Error(
      `This picture is too large to be opened here: ${picture.naturalWidth} × ${picture.naturalHeight}. At most ${MOST_PIXELS / 1_000_000} megapixels are.`,
    )
  }
  return picture
}

/** The largest part around the middle that has the form of the target: scaled to it, it covers it. */
export function middleOf(size: Size, to: Size): Area {
  const scale = Math.max(to.width / size.width, to.height / size.height)
  const width = to.width / scale
  const height = to.height / scale
  return { x: (size.width - width) / 2, y: (size.height - height) / 2, width, height }
}

/** Less than half a pixel is no difference: areas come out of divisions. */
function isSameSize(one: Size, other: Size): boolean {
  return Math.abs(one.width - other.width) < 0.5 && Math.abs(one.height - other.height) < 0.5
}

function draw(picture: CanvasImageSource, part: Area, to: Size): HTMLCanvasElement {
  const canvas = document.createElement('canvas')
  canvas.width = to.width
  canvas.height = to.height
  const context = canvas.getContext('2d')
  if (!context) throw new Error('Failed to create 2D context')
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, part.x, part.y, part.width, part.height, 0, 0, to.width, to.height)
  return canvas
}

async function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, QUALITY))
  if (!blob) throw new Error('Failed to create blob')
  return blob
}
