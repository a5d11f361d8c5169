/** Uploading a picture: the one call of the panel that is not JSON and that says how far it has come. */
import type { Image, Purpose } from '#contract/images.ts'
import { ConnectionError, HttpError, isStatus } from '#web/lib/http-error.ts'

const URL_PATH = '/api/users/images'

interface Upload {
  purpose: Purpose
  file: Blob
  onProgress: (part: number) => void
  signal: AbortSignal
}

/**
 * Sends the file. `fetch` can't tell how much has left; the older way can.
 * @throws HttpError where it is refused, ConnectionError where nobody answers, AbortError where it is given up.
 */
export function uploadImage({ purpose, file, onProgress, signal }: Upload): Promise<Image> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', URL_PATH)
    request.responseType = 'json'
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total))
    request.addEventListener('load', () => {
      // Null where it is none.
      const body: unknown = request.response
      const image = request.status < 300 ? (body as { data?: Image } | null)?.data : undefined
      if (image) resolve(image)
      else reject(rejectionOf(request, body))
    })
    request.addEventListener('error', () => reject(new ConnectionError(undefined, true)))
    request.addEventListener('timeout', () => reject(new ConnectionError(undefined, true)))
    request.addEventListener('abort', () => reject(signal.reason as Error))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    const form = new FormData()
    // What it is for goes first: the backend knows it before it reads the file.
    form.append('purpose', purpose)
    form.append('file', file, `picture.${file.type.split('/')[1] ?? 'bin'}`)
    request.send(form)
  })
}

/** What a server in front answers by itself has no sentence: it gets one here. */
const WITHOUT_WORDS = {
  tooLarge: 'The picture is too large for the server in front. Choose a smaller one.',
  lost: 'The upload did not get through. Try again.',
}

function rejectionOf(request: XMLHttpRequest, body: unknown): HttpError {
  const { status } = request
  const isWorded = Array.isArray((body as { errors?: unknown } | null)?.errors)
  const statusText = isWorded ? request.statusText : status === 413 ? WITHOUT_WORDS.tooLarge : WITHOUT_WORDS.lost
  return new HttpError({ method: 'POST', status, statusText, url: URL_PATH, requestId: request.getResponseHeader('x-request-id'), body })
}

/** Whether the same file will always be refused: another one has to be chosen. */
export function isPermanentError(error: unknown): boolean {
  return isStatus(error, 400) || isStatus(error, 413)
}
