/** The package ships no types; this is what the tests use. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  export interface Context {
    body: unknown
    readonly oidc?: {
      readonly route: string
      readonly client: { readonly clientId: string }
      readonly session: { readonly accountId: string }
    }
  }

  export default class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>)
    readonly Grant: new (of: { clientId: string; accountId: string }) => { addOIDCScope(scope: string): void; save(): Promise<string> }
    use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): void
    callback(): RequestListener
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: Readonly<Record<string, unknown>>): Promise<void>
  }
}
