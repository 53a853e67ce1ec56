import { screen, waitFor } from '@testing-library/react'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ota, type OtaJob, type OtaOverview, type OtaUpdate } from '../../../../contract/devices/ota-calls.ts'
import FirmwareCard from '../../../../src/domain/ota/firmware-card.tsx'
import FirmwarePage from '../../../../src/custom-views/ota/firmware-page.tsx'
import { updateFor } from '../../../../src/domain/ota/firmware.ts'
import { queryClient } from '../../../../src/data/api.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { applyOta, handleOtaResponse, setHubOnlineInFirmware } from '../../../../src/live/firmware.ts'
import { beginAs, openPages } from '../../../support/device-screens.tsx'
import { answers, requests, rejectCall, server } from '../../../support/msw.ts'
const firmware = (FirmwareVersion: string) => ({
  FirmwareID: `fw-${FirmwareVersion.replaceAll('.', '-')}`,
  Target: 'hub',
  FirmwareVersion,
  Notes: '',
  Size: 1_048_576,
  Sha256: 'ab'.repeat(32),
  UploadedAt: 1,
  By: '廠務管理',
})
const device = (ThingName: string, FirmwareVersion: string | null) => ({
  HomeID: 'h1',
  ThingName,
  PeripheralUID: null,
  Name: `閘道器 ${ThingName}`,
  Target: 'hub',
  RoomID: 0,
  Online: true,
  FirmwareVersion,
  ReportedAt: FirmwareVersion === null ? null : 1,
  Update: null,
})
const overview: OtaOverview = {
  Firmwares: [firmware('1.9.0'), firmware('1.10.0')],
  Devices: [device('a', '1.9.0'), device('b', '1.10.0'), device('c', null)],
  Jobs: [],
}
const update = (more: Partial<OtaUpdate> = {}): OtaUpdate => ({
  OtaJobID: 'j1',
  HomeID: 'h1',
  ThingName: 'a',
  PeripheralUID: null,
  FirmwareVersion: '1.10.0',
  FromVersion: '1.9.0',
  Wave: 1,
  State: 'downloading',
  Code: 0,
  Progress: 40,
  RequestedAt: 2,
  StartedAt: 2,
  SettledAt: null,
  ...more,
})
const job = (more: Partial<OtaJob> = {}): OtaJob => ({
  OtaJobID: 'j1',
  HomeID: 'h1',
  Target: 'hub',
  FirmwareVersion: '1.10.0',
  State: 'running',
  Pause: null,
  WaveSize: 10,
  PausePercent: 20,
  ConfirmWaves: false,
  By: '廠務管理',
  RequestedAt: 2,
  EndedAt: null,
  Counts: { Waiting: 0, Active: 1, Succeeded: 0, Failed: 0, Cancelled: 0 },
  ...more,
})

const open = () => openPages({ '/Firmware/:HomeID': <FirmwarePage /> }, '/Firmware/h1').user

beforeAll(() => loadNamespaces(['ota']))
beforeEach(async () => {
  await beginAs()
  server.use(answers(ota.getAllOta, overview))
})

describe('the firmware page', () => {
  it('shows before the start how many are offline and what happens to them', async () => {
    const away = { ...device('d', '1.9.0'), Online: false }
    server.use(answers(ota.getAllOta, { ...overview, Devices: [...overview.Devices, away] }))
    const user = open()
    await user.click(await screen.findByRole('checkbox', { name: '閘道器 a' }))
    await user.click(screen.getByRole('button', { name: /^更\s*新$/ }))
    expect(await screen.findByRole('button', { name: '開始更新' })).toBeTruthy()
    expect(screen.queryByText(/個目前離線/)).toBeNull()
    await user.click(screen.getByRole('button', { name: /^取\s*消$/ }))
    await user.click(screen.getByRole('checkbox', { name: '閘道器 d' }))
    await user.click(screen.getByRole('button', { name: /^更\s*新$/ }))
    expect(await screen.findByText(/^1 個目前離線；2 分鐘內沒有恢復連線/)).toBeTruthy()
  })

  it('offers the newest version to devices with an older or unknown one, and sends the selection', async () => {
    server.use(answers(ota.startOta, { Job: job(), Refused: [] }))
    const user = open()
    expect(await screen.findAllByText('可更新至 1.10.0')).toHaveLength(2)
    await user.click(screen.getByRole('checkbox', { name: '閘道器 a' }))
    await user.click(screen.getByRole('button', { name: /^更\s*新$/ }))
    await user.click(await screen.findByRole('button', { name: '開始更新' }))
    await waitFor(() =>
      expect(requests.find(({ path }) => path === ota.startOta.path)?.body).toMatchObject({
        HomeID: 'h1',
        FirmwareID: 'fw-1-10-0',
        Devices: [{ ThingName: 'a', PeripheralUID: null }],
      }),
    )
  })

  it('follows a job live: progress, then the outcome in the words of the specification', async () => {
    open()
    await screen.findByText('閘道器 a')
    handleOtaResponse(queryClient, 'h1', { Job: job(), Updates: [update()] })
    expect(await screen.findByText('下載中 40%')).toBeTruthy()
    expect(screen.getByRole('checkbox', { name: '閘道器 a' })).toHaveProperty('disabled', true)
    const ended = update({ State: 'failed', Code: 2, SettledAt: 9 })
    handleOtaResponse(queryClient, 'h1', { Job: job({ State: 'finished', EndedAt: 9 }), Updates: [ended] })
    expect(await screen.findByText('檔案下載失敗，請檢查網路。')).toBeTruthy()
  })

  it('shows a disconnected hub and its devices as offline, and updates on reconnect', async () => {
    open()
    await screen.findByText('閘道器 a')
    setHubOnlineInFirmware(queryClient, 'a', false)
    expect(await screen.findAllByText('閘道器離線')).toHaveLength(1)
    setHubOnlineInFirmware(queryClient, 'a', true)
    await waitFor(() => expect(screen.queryByText('閘道器離線')).toBeNull())
  })

  it('says why a paused job waits, and resumes it', async () => {
    server.use(
      answers(ota.getAllOta, { ...overview, Jobs: [job({ State: 'paused', Pause: 'failures' })] }),
      answers(ota.resumeOta, job()),
    )
    const user = open()
    expect(await screen.findByText(/失敗比例超過上限/)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: '繼續下一批' }))
    await waitFor(() => expect(requests.some(({ path }) => path === ota.resumeOta.path)).toBe(true))
  })

  it('offers to retry if it cannot be loaded', async () => {
    server.use(rejectCall(ota.getAllOta, 'NOT_FOUND'))
    const user = open()
    const again = await screen.findByRole('button', { name: /重\s*試/ })
    server.use(answers(ota.getAllOta, overview))
    await user.click(again)
    expect(await screen.findByText('閘道器 a')).toBeTruthy()
  })
})

describe("a device's firmware", () => {
  const openCard = (thingName: string) =>
    openPages({ '/card': <FirmwareCard homeId="h1" thingName={thingName} peripheralUid={null} /> }, '/card')

  it('is compared with the newest version in the library', async () => {
    openCard('b')
    expect(await screen.findByText('已是最新版本')).toBeTruthy()
  })

  it('is neither current nor outdated while the library has none for it', async () => {
    server.use(answers(ota.getAllOta, { ...overview, Firmwares: [] }))
    openCard('c')
    expect(await screen.findByText('尚未回報版本')).toBeTruthy()
    expect(screen.queryByText('已是最新版本')).toBeNull()
  })
})

describe('live update progress', () => {
  it('changes the version only on success, and ignores earlier jobs', () => {
    const done = applyOta(overview, { Job: job(), Updates: [update({ State: 'succeeded', Code: null })] })
    expect(done.Devices[0]).toMatchObject({ FirmwareVersion: '1.10.0', Update: { State: 'succeeded' } })
    const late = applyOta(done, { Job: null, Updates: [update({ RequestedAt: 1, State: 'failed' })] })
    expect(late.Devices[0]?.Update?.State).toBe('succeeded')
    expect(applyOta(overview, { Job: job(), Updates: [update()] }).Devices[0]?.FirmwareVersion).toBe('1.9.0')
  })

  it('compares versions numerically', () => {
    const newest = overview.Devices.map((one) => updateFor(one, overview.Firmwares)?.FirmwareVersion)
    expect(newest).toEqual(['1.10.0', undefined, '1.10.0'])
  })
})
