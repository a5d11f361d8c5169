/** Messages in development: the cookie chooses the language in the browser, because there is only one page. */
import { paraglideVitePlugin } from '@inlang/paraglide-js'
import type { PluginOption } from 'vite'
import { DEFAULT_LANGUAGE, PANEL_LANGUAGES } from '#contract/text/panel-languages.ts'
import { API, PANEL } from './messages.ts'
import { pageTexts } from './plugins.ts'

const SET_LANGUAGE = `document.documentElement.lang =
  ${JSON.stringify(PANEL_LANGUAGES)}.find((language) => document.cookie.split('; ').includes('muster_language=' + language)) ?? '${DEFAULT_LANGUAGE}'`

export function devMessages(): PluginOption[] {
  return [
    ...[PANEL, API].map(({ options }) =>
      paraglideVitePlugin({
        ...options,
        strategy: ['cookie', 'baseLocale'],
        cookieName: 'muster_language',
        outdir: `${options.outdir}-dev`,
      }),
    ),
    pageTexts(DEFAULT_LANGUAGE),
    {
      name: 'muster:dev-language',
      config: () => ({
        resolve: {
          alias: [PANEL, API].map(({ specifier, options }) => ({
            find: new RegExp(`^${specifier}$`),
            replacement: `${options.outdir}-dev/messages.js`,
          })),
        },
      }),
      transformIndexHtml: () => [{ tag: 'script', children: SET_LANGUAGE, injectTo: 'head-prepend' }],
    },
  ]
}
