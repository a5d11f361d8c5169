/** Calls the panel of a node, directly or through a load balancer. */

export interface PanelResponse<T> {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The content of the envelope on success. */
  readonly data: T
}

export async function call<T = unknown>(panelUrl: string, cookie: string, route: string, body?: unknown): Promise<PanelResponse<T>> {
  const [method = 'GET', path = '/'] = route.split(' ')
  const response = await fetch(`${panelUrl}${path}`, {
    method,
    headers: { cookie, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const json = text.startsWith('{') ? (JSON.parse(text) as { data?: T }) : {}
  return { status: response.status, headers: response.headers, text, data: json.data as T }
}
