/** The routes for visitors who are not signed in. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { aboutOptions } from '#web/features/about/about.api.ts'
import { LoginPage } from '#web/pages/login/login-page.tsx'
import { rootRoute } from './base.tsx'

const pages = () => import('#web/pages/login/login-callback-page.tsx')

/** Without the reply, the page still works. */
const login = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login',
  loader: ({ context }) => context.queryClient.ensureQueryData(aboutOptions).catch(() => {}),
  component: LoginPage,
})

/** The identity provider returns to it. The spinner of index.html shows while it signs in. */
const loginCallback = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login/discord/callback',
  loader: async () => (await pages()).completeSignIn(),
  component: lazyRouteComponent(pages, 'LoginCallbackPage'),
})

export const loginRoutes = [login, loginCallback] as const
