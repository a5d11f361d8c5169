/** The start of the panel: chooses the language, then loads its texts and the panel. Until both are there, index.html shows a spinner. */
import './panel.css'
import { pageLanguage, preferredLanguage, setPageLanguage } from '#web/lib/language.ts'
import { loadTexts } from '#web/lib/texts.ts'

// Chromium reports `en-US@posix` if LANG is C. uPlot, which draws the graphs, throws for it.
if (/@/.test(navigator.language)) Object.defineProperty(navigator, 'language', { value: 'en-US' })

setPageLanguage(preferredLanguage())
document.documentElement.lang = pageLanguage
const [{ showPanel }] = await Promise.all([import('./panel.tsx'), loadTexts(pageLanguage)])
await showPanel()
