import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Chromium without windows and menus: it needs a quarter less CPU for the same pages. */
const SHELLS = ['/usr/bin/chromium-headless-shell']

/**
 * An installed Chromium: CHROMIUM_PATH, the system's or Playwright's own.
 *
 * shell  prefer one without windows, for runs that are not measured
 *
 * returns  path of the executable, or undefined
 */
export function installedBrowser({ shell = false } = {}): string | undefined {
  const candidates = shell ? [...SHELLS, ...INSTALLED] : [...INSTALLED, ...SHELLS]
  const paths = [process.env['CHROMIUM_PATH'], ...candidates, chromium.executablePath()]
  return paths.find((path) => path && existsSync(path))
}

/**
 * An installed Chromium with windows, even if CHROMIUM_PATH names one without: only the former shows notifications.
 *
 * returns  path of the executable, or undefined
 */
export const wholeBrowser = (): string | undefined =>
  [process.env['CHROMIUM_PATH'], ...INSTALLED, chromium.executablePath()].find(
    (path) => path && !path.includes('shell') && existsSync(path),
  )

/**
 * An installed Chromium as `installedBrowser` finds it, else one that Playwright downloads now.
 *
 * returns  path of the executable, or undefined with the reason printed if none can be found or downloaded
 */
export function findBrowser(options: { shell?: boolean } = {}): string | undefined {
  const installed = installedBrowser(options)
  if (installed) return installed
  console.log('No Chromium found; asking Playwright to install one …')
  spawnSync('npx', ['playwright', 'install', '--with-deps', 'chromium'], { stdio: 'inherit' })
  if (existsSync(chromium.executablePath())) return chromium.executablePath()
  console.error('No Chromium could be installed. Install one and set CHROMIUM_PATH to its executable.')
  return undefined
}

/** Features that Playwright disables itself: if a switch is given twice, Chromium uses only the last. */
const OFF_BY_PLAYWRIGHT = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
]
/** Pages and processes that Chromium keeps ready for each window: a third of the work of opening a page of the dashboard. */
const HELD_READY = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'PreloadTopChromeWebUI',
  'SpareRendererForSitePerProcess',
]

/** Flags for a headless browser in a container without a network of its own. */
export const BROWSER_ARGS = [
  `--disable-features=${[...OFF_BY_PLAYWRIGHT, ...HELD_READY].join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
