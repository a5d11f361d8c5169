/** Calls of the panel, through whatever stands in front of the nodes. */

export interface Called<T> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** What is in the envelope of a call that worked. */
  readonly data: T
}

export async function call<T = unknown>(panelUrl: string, cookie: string, route: string, body?: unknown): Promise<Called<T>> {
  const [method = 'GET', path = '/'] = route.split(' ')
  const answer = await fetch(`${panelUrl}${path}`, {
    method,
    headers: { cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  const json = text.startsWith('{') ? (JSON.parse(text) as { data?: T }) : {}
  return { status: answer.status, headers: answer.headers, text, data: json.data as T }
}
