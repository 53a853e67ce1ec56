import { describe, expect, it } from 'vitest'
import { type Device, installMethod, iosVersion } from '../../../../src/domain/install/install-hint.tsx'

const IPHONE = (version: string) =>
  `Mozilla/5.0 (iPhone; CPU iPhone OS ${version} like Mac OS X) AppleWebKit/605.1.15 Version/16.4 Mobile/15E148 Safari/604.1`
const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Safari/605.1.15'
const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/126.0.0.0 Mobile Safari/537.36'
const DESKTOP = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/126.0.0.0 Safari/537.36'

const device = (userAgent: string, more: Partial<Device> = {}): Device => ({
  userAgent,
  touchPoints: 0,
  standalone: false,
  inApp: false,
  offers: false,
  push: true,
  ...more,
})

describe('the version of iOS', () => {
  it.each([
    [IPHONE('16_4'), 5, 16.4],
    [IPHONE('15_7_1'), 5, 15.7],
    [MAC, 5, 17.2],
    [MAC, 0, undefined],
    [ANDROID, 5, undefined],
  ])('of %s with %i touch points is %s', (userAgent, touchPoints, version) => {
    expect(iosVersion({ userAgent, touchPoints })).toBe(version)
  })
})

describe('the installation method', () => {
  it.each<[string, Device, string]>([
    ['in the application', device(IPHONE('17_1'), { inApp: true, push: false }), 'inApp'],
    [
      'in Safari on iOS, which pushes only from the home screen',
      device(IPHONE('16_4'), { push: false }),
      'ios',
    ],
    ['from the home screen of iOS', device(IPHONE('17_1'), { standalone: true }), 'none'],
    ['on an iOS that is too old for pushes', device(IPHONE('15_7'), { push: false }), 'unsupported'],
    ['on Android without pushes', device(ANDROID, { push: false }), 'unsupported'],
    ['on Android when the browser offers it', device(ANDROID, { offers: true }), 'offer'],
    ['on a desktop when the browser offers it', device(DESKTOP, { offers: true }), 'offer'],
    ['on a desktop whose browser does not', device(DESKTOP, { push: false }), 'none'],
    ['once it is installed', device(ANDROID, { offers: true, standalone: true }), 'none'],
  ])('%s', (_, given, way) => {
    expect(installMethod(given)).toBe(way)
  })
})
