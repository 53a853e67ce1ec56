import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tokens, handOverTokens } from '../../../src/data/tokens/tokens.ts'
import { currentLanguage, changeLanguage } from '../../../src/lib/i18n/i18n.ts'
import { nativeDevice, receiveNative, startNativeBridge } from '../../../src/providers/native-bridge.ts'

const posted: { type: string; payload: unknown }[] = []
const host = globalThis as { DashboardBridge?: unknown }
const say = (data: unknown, origin = '') => receiveNative({ data, origin })

beforeEach(() => {
  posted.length = 0
  host.DashboardBridge = { postMessage: (text: string) => posted.push(JSON.parse(text)) }
})
afterEach(async () => {
  delete host.DashboardBridge
  handOverTokens(undefined)
  await changeLanguage('zh-TW')
})

describe('the native application', () => {
  it('hands a token over and gets it back on request', async () => {
    await say({ type: 'token', payload: { IdToken: 'id', AccessToken: 'access' } })
    expect(await tokens()).toEqual({ id: 'id', access: 'access' })
    await say({ type: 'requestTokens' })
    expect(posted).toEqual([{ type: 'tokens', payload: { IdToken: 'id', AccessToken: 'access' } }])
  })

  it('sets the language and asks for it', async () => {
    await say('{"type":"language","payload":{"Language":"en-US"}}')
    expect(currentLanguage()).toBe('en-US')
    await say({ type: 'requestLanguage' })
    expect(posted).toEqual([{ type: 'language', payload: { Language: 'en-US' } }])
  })

  it('tells about its device and asks about the page’s', async () => {
    await say({ type: 'deviceInfo', payload: { Model: 'Phone', Version: 17 } })
    expect(nativeDevice.get()).toEqual({ Model: 'Phone', Version: 17 })
    await say({ type: 'requestDeviceInfo' })
    expect(posted[0]).toMatchObject({ type: 'deviceInfo', payload: { Width: innerWidth } })
  })

  it.each([
    [
      'of another origin',
      { type: 'token', payload: { IdToken: 'x', AccessToken: 'x' } },
      'https://evil.example',
    ],
    ['of an unknown type', { type: 'eval', payload: 'alert(1)' }, ''],
    ['of a wrong shape', { type: 'token', payload: { IdToken: 1 } }, ''],
    ['that is no JSON', '{oops', ''],
    ['that is nothing', null, ''],
  ])('is not heard with a message %s', async (_, data, origin) => {
    expect(await say(data, origin)).toBe(false)
    expect(posted).toEqual([])
  })

  it('is listened to only where there is one', async () => {
    delete host.DashboardBridge
    const stop = startNativeBridge()
    dispatchEvent(
      new MessageEvent('message', { data: { type: 'token', payload: { IdToken: 'a', AccessToken: 'b' } } }),
    )
    stop()
    expect(nativeDevice.get()).not.toEqual({ IdToken: 'a' })
    expect(posted).toEqual([])
  })
})
