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

/** Flags for a headless browser in a container without a network of its own. */
export const BROWSER_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
