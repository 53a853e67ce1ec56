import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const INSTALLED = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** Chromium without windows and menus: for the same pages it takes a quarter less of the processor. */
const SHELLS = ['/usr/bin/chromium-headless-shell']

/**
 * A Chromium that is there: CHROMIUM_PATH, the system's or Playwright's own.
 *
 * shell  rather one without windows, for what is not measured
 *
 * returns  path of the executable, or undefined
 */
export function installedBrowser({ shell = false } = {}): string | undefined {
  const ours = shell ? [...SHELLS, ...INSTALLED] : [...INSTALLED, ...SHELLS]
  const paths = [process.env['CHROMIUM_PATH'], ...ours, chromium.executablePath()]
  return paths.find((path) => path && existsSync(path))
}

/**
 * A Chromium with windows that is there, whatever CHROMIUM_PATH says: only that one shows notifications.
 *
 * returns  path of the executable, or undefined
 */
export const wholeBrowser = (): string | undefined =>
  [process.env['CHROMIUM_PATH'], ...INSTALLED, chromium.executablePath()].find(
    (path) => path && !path.includes('shell') && existsSync(path),
  )

/**
 * As `installedBrowser`, or one that Playwright downloads now.
 *
 * returns  path of the executable, or undefined with the reason printed when there is none and none can be had
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

/** What Playwright switches off itself: a switch that is given twice counts as it is given last. */
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
/** Pages and processes that Chromium holds ready behind each window: a third of the work of opening one of ours. */
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
