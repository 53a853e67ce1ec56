import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { deviceTypes, reportsNothing } from '../../../../../contract/devices/kinds/registry.ts'
import {
  CAMERA_FAULTS,
  cameraAndIr,
  type CameraFault,
  type CameraSource,
} from '../../../../../contract/devices/camera-and-ir-calls.ts'
import Camera from '../../../../../src/domain/devices/camera/camera.tsx'
import { playHls, type StreamState } from '../../../../../src/domain/devices/camera/live-video.tsx'
import { queryClient } from '../../../../../src/data/api.ts'
import { t } from '../../../../../src/lib/i18n/i18n.ts'
import { me } from '../../../../../src/data/session.ts'
import { beginAs, drawFace, knownCapability } from '../../../../support/device-screens.tsx'
import { answers, requests, rejectCall, server, subUser } from '../../../../support/msw.ts'
import { aPeripheral } from '../../../../support/peripheral.ts'
/** Player for browsers without native HLS. */
const hls = vi.hoisted(() => ({
  supported: true,
  fail: (_fatal: boolean, _details = 'manifestLoadError') => {},
  loaded: '',
  destroyed: 0,
}))
vi.mock('hls.js', () => ({
  default: class {
    static Events = { ERROR: 'error' }
    static isSupported = () => hls.supported
    on(_event: string, listener: (event: string, data: { fatal: boolean; details: string }) => void) {
      hls.fail = (fatal, details = 'manifestLoadError') => listener('error', { fatal, details })
    }
    loadSource(url: string) {
      hls.loaded = url
    }
    attachMedia() {}
    destroy() {
      hls.destroyed++
    }
  },
}))

const device = aPeripheral({
  PeripheralUID: 'cam',
  PeripheralType: '752',
  PeripheralName: '大門',
  ThingName: null,
})
const URL_ = 'http://10.0.0.7/live.m3u8'
let fault: CameraFault | null
let streams: { PeripheralUID: string; Url: string; ExpiresAt: number }[]

function draw(source: CameraSource | null) {
  server.use(
    answers(cameraAndIr.casaIpCamLiveStream, () => streams),
    answers(cameraAndIr.casaGetPeripheralAdvanceInfo, source),
    answers(cameraAndIr.casaAddPeripheralAdvanceInfo, device),
    answers(cameraAndIr.casaGetStreamFault, () => ({ Fault: fault })),
  )
  return drawFace(Camera, device, knownCapability('752', 'camera'), { may: false }).user
}
const stream = (n = 1) => [{ PeripheralUID: 'cam', Url: `/camera/ticket-${n}/live`, ExpiresAt: 9e12 }]
const video = async () => (await screen.findByLabelText('大門的即時影像')) as HTMLVideoElement
const saved = () => requests.filter(({ path }) => path === '/CasaAddPeripheralAdvanceInfo').at(-1)?.body

beforeEach(async () => {
  await beginAs()
  hls.supported = true
  hls.destroyed = 0
  streams = stream()
  fault = 'unreachable'
  vi.spyOn(HTMLMediaElement.prototype, 'load').mockReturnValue()
  vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockReturnValue('')
})

describe('the picture of a camera', () => {
  it('connects, is live, buffers, pauses, and fails when the player gives up', async () => {
    draw(null)
    const element = await video()
    expect(screen.getByText('連線中')).toBeTruthy()
    await waitFor(() => expect(hls.loaded).toBe('/camera/ticket-1/live'))
    fireEvent.playing(element)
    expect(screen.getByText('即時')).toBeTruthy()
    fireEvent.waiting(element)
    expect(screen.getByText('等待影像')).toBeTruthy()
    fireEvent.pause(element)
    expect(screen.getByText('已暫停')).toBeTruthy()
    act(() => hls.fail(false))
    expect(screen.queryByRole('alert')).toBeNull()
    act(() => hls.fail(true))
    expect(screen.getByRole('alert').textContent).toContain(t('devices:camera.asking'))
    expect(await screen.findByText(t('devices:camera.faults.unreachable'))).toBeTruthy()
  })

  it.each(CAMERA_FAULTS)('shows why it is missing: %s', async (why) => {
    fault = why
    draw(null)
    await video()
    await waitFor(() => expect(hls.loaded).toBe('/camera/ticket-1/live'))
    act(() => hls.fail(true))
    expect(await screen.findByText(t(`devices:camera.faults.${why}`))).toBeTruthy()
  })

  it("shows the browser's error if the camera has no fault, or cannot be checked", async () => {
    fault = null
    draw(null)
    await video()
    await waitFor(() => expect(hls.loaded).toBe('/camera/ticket-1/live'))
    act(() => hls.fail(true, 'bufferAddCodecError'))
    expect(await screen.findByText(t('devices:camera.faults.codec'))).toBeTruthy()
    act(() => hls.fail(true, 'levelLoadError'))
    expect(await screen.findByText(t('devices:camera.faults.noPicture'))).toBeTruthy()
    cleanup()
    queryClient.clear()
    draw(null)
    server.use(rejectCall(cameraAndIr.casaGetStreamFault, 'UNAVAILABLE'))
    await video()
    act(() => hls.fail(true))
    expect(await screen.findByText(t('devices:camera.failed'))).toBeTruthy()
  })

  it('is requested again on retry', async () => {
    const user = draw(null)
    await video()
    await waitFor(() => expect(hls.loaded).toBe('/camera/ticket-1/live'))
    act(() => hls.fail(true))
    streams = stream(2)
    await user.click(screen.getByRole('button', { name: /重\s?試/ }))
    await waitFor(() => expect(hls.loaded).toBe('/camera/ticket-2/live'))
    expect(hls.destroyed).toBe(1)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  it('fails at once if no player supports it', async () => {
    hls.supported = false
    draw(null)
    await video()
    expect(await screen.findByText(t('devices:camera.faults.unreachable'))).toBeTruthy()
  })
})

it('is the only device kind without silence detection', () => {
  expect(deviceTypes.filter(reportsNothing).map(({ kind }) => kind)).toEqual(['ipCamera'])
})

describe('a stalled stream', () => {
  const play = () => {
    vi.useFakeTimers()
    vi.spyOn(HTMLMediaElement.prototype, 'canPlayType').mockReturnValue('maybe')
    const told: StreamState[] = []
    const element = document.createElement('video')
    const stop = playHls(element, '/camera/x/live', (state) => told.push(state))
    return {
      told,
      element,
      stop: () => {
        stop()
        vi.useRealTimers()
      },
    }
  }

  it('is treated as lost after 15 seconds without a new frame', () => {
    const { told, element, stop } = play()
    fireEvent.timeUpdate(element)
    vi.advanceTimersByTime(14_999)
    expect(told).toEqual(['connecting', 'live'])
    vi.advanceTimersByTime(1)
    expect(told.at(-1)).toBe('failed')
    stop()
  })

  it('is not treated as lost while paused by the user', () => {
    const { told, element, stop } = play()
    fireEvent.playing(element)
    fireEvent.pause(element)
    vi.advanceTimersByTime(60_000)
    expect(told.at(-1)).toBe('paused')
    fireEvent.play(element)
    vi.advanceTimersByTime(15_000)
    expect(told.at(-1)).toBe('failed')
    stop()
  })

  it('is not treated as lost while out of view, as browsers do not start it', () => {
    let see = (_isIntersecting: boolean) => {}
    vi.stubGlobal(
      'IntersectionObserver',
      class {
        constructor(told: (entries: { isIntersecting: boolean }[]) => void) {
          see = (isIntersecting) => told([{ isIntersecting }])
        }
        observe() {}
        disconnect() {}
      },
    )
    const { told, stop } = play()
    see(false)
    vi.advanceTimersByTime(60_000)
    expect(told).toEqual(['connecting'])
    see(true)
    vi.advanceTimersByTime(15_000)
    expect(told.at(-1)).toBe('failed')
    stop()
    vi.unstubAllGlobals()
  })

  it('reports nothing after it was stopped, and releases the camera', () => {
    const { told, element, stop } = play()
    expect(element.getAttribute('src')).toBe('/camera/x/live')
    stop()
    fireEvent.playing(element)
    expect(told).toEqual(['connecting'])
    expect(element.hasAttribute('src')).toBe(false)
  })
})

describe('the stream settings of a camera', () => {
  const stored: CameraSource = { StreamUrl: URL_, UserName: 'viewer', HasPassword: true }
  const openForm = async (user: ReturnType<typeof draw>) =>
    user.click(await screen.findByRole('button', { name: /串流來源/ }))
  const save = (user: ReturnType<typeof draw>) => user.click(screen.getByRole('button', { name: /儲\s?存/ }))

  it('open at once if none are stored, and show errors at each field', async () => {
    streams = []
    const user = draw(null)
    expect(await screen.findByText(t('devices:camera.noSource'))).toBeTruthy()
    const address = await screen.findByLabelText('串流網址（HLS）')
    for (const [typed, reason] of [
      ['rtsp://10.0.0.7/live', 'streamUrl'],
      ['http://admin:secret@10.0.0.7/live.m3u8', 'urlCredentials'],
    ] as const) {
      await user.clear(address)
      await user.type(address, typed)
      await save(user)
      expect(await screen.findByText(t(`errors:fields.${reason}`))).toBeTruthy()
    }
    await user.clear(address)
    await save(user)
    expect(await screen.findByText(t('errors:fields.required'))).toBeTruthy()
    expect(saved()).toBeUndefined()
  })

  it('keep the stored password if none is typed, and collapse', async () => {
    const user = draw(stored)
    await openForm(user)
    expect(await screen.findByText(t('devices:camera.passwordKept'))).toBeTruthy()
    await save(user)
    await waitFor(() =>
      expect(saved()).toEqual({
        HomeID: 'h1',
        PeripheralUID: 'cam',
        StreamUrl: URL_,
        UserName: 'viewer',
      }),
    )
    await waitFor(() =>
      expect(screen.getByRole('button', { name: /串流來源/ }).getAttribute('aria-expanded')).toBe('false'),
    )
  })

  it('set a new password, or remove the stored one', async () => {
    const user = draw(stored)
    await openForm(user)
    await user.type(await screen.findByLabelText(/^攝影機密碼/), 'new')
    await save(user)
    await waitFor(() => expect(saved()).toMatchObject({ Password: 'new' }))
    await openForm(user)
    await user.click(screen.getByRole('checkbox', { name: t('devices:camera.forgetPassword') }))
    await waitFor(() =>
      expect((screen.getByLabelText(/^攝影機密碼/) as HTMLInputElement).disabled).toBe(true),
    )
    await save(user)
    await waitFor(() => expect(saved()).toMatchObject({ Password: '' }))
  })

  it('keep typed values if the gateway is unreachable', async () => {
    const user = draw(stored)
    await openForm(user)
    await user.type(await screen.findByLabelText(/^攝影機密碼/), 'new')
    server.use(rejectCall(cameraAndIr.casaAddPeripheralAdvanceInfo, 'UNAVAILABLE'))
    await save(user)
    await waitFor(() => expect(saved()).toBeDefined())
    expect((screen.getByLabelText(/^攝影機密碼/) as HTMLInputElement).value).toBe('new')
  })

  it('are hidden without the right to change them', async () => {
    me.set(subUser([{ FeatureKey: 'device', OperationList: ['Read', 'Update'] }]))
    streams = []
    draw(null)
    expect(await screen.findByText(t('devices:camera.noSourceAsk'))).toBeTruthy()
    expect(screen.queryByRole('button', { name: /串流來源/ })).toBeNull()
  })
})
