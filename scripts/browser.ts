import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'

const INSTALLED = [
  process.env['CHROMIUM_PATH'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * A Chromium to test with: CHROMIUM_PATH, the system's, Playwright's own, or one that Playwright downloads now.
 *
 * returns  path of the executable, or undefined with the reason printed when there is none and none can be had
 */
export function findBrowser(): string | undefined {
  const installed = [...INSTALLED, chromium.executablePath()].find((path) => path && existsSync(path))
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
