import { describe, expect, it } from 'vitest'
import { readUserAgent } from '../../../../src/custom-views/personal/user-agent.ts'

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)'

describe('the name of a signed-in device', () => {
  it.each([
    [`${WINDOWS} Chrome/141.0.0.0 Safari/537.36`, 'Chrome', 'Windows'],
    [`${WINDOWS} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`, 'Edge', 'Windows'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox', 'Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
      'Safari',
      'macOS',
    ],
    [`${IPHONE} Version/18.0 Mobile/15E148 Safari/604.1`, 'Safari', 'iPhone'],
    [`${IPHONE} Mobile/15E148 Safari Line/14.0`, 'LINE', 'iPhone'],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
      'Chrome',
      'Android',
    ],
  ])('is read from %s', (userAgent, browser, system) => {
    expect(readUserAgent(userAgent)).toEqual({ browser, system })
  })

  it('is unknown for an unknown device', () => {
    expect(readUserAgent('node')).toEqual({ browser: undefined, system: undefined })
    expect(readUserAgent('')).toEqual({ browser: undefined, system: undefined })
  })
})
