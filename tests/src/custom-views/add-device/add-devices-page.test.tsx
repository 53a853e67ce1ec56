import { act, screen, within, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { cameraAndIr } from '../../../../contract/devices/camera-and-ir-calls.ts'
import { people } from '../../../../contract/people/calls.ts'
import {
  peripheral,
  peripheralCalls,
  type AnsweredPeripheral,
} from '../../../../contract/devices/peripheral.ts'
import { setup } from '../../../../contract/setup/calls.ts'
import { thing } from '../../../../contract/devices/thing.ts'
import { home } from '../../../../contract/homes/home.ts'
import { ModbusHubConfig } from '../../../../hubs/modbus-tcp/config.ts'
import AddDevicesPage from '../../../../src/custom-views/add-device/add-devices-page.tsx'
import {
  connectionSettings,
  settingsAsJson,
} from '../../../../src/domain/devices/hub-credentials/hub-credentials.tsx'
import { trialFault } from '../../../../src/custom-views/hub-wizard/waiting.tsx'
import { handleHubTrial } from '../../../../src/live/hub-trials.ts'
import { route } from '../../../../src/live/route.ts'
import { callKey, queryClient } from '../../../../src/data/api.ts'
import { loadNamespaces, t } from '../../../../src/lib/i18n/i18n.ts'
import { showNoticesWith } from '../../../../src/data/notices.ts'
import { aHome, beginAs, openPages } from '../../../support/device-screens.tsx'
import { answers, requests, rejectCall, server, subUser } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
const hub = (ThingName: string, RoomID: number) => ({
  ThingName,
  DeviceName: `${ThingName} 閘道器`,
  HomeID: 'h1',
  RoomID,
  Online: true,
  SeenAt: 1,
})
const found = (uid: string, PeripheralType = '516', ThingName = 'a') => ({
  PeripheralUID: uid,
  PeripheralType,
  PeripheralName: `裝置 ${uid}`,
  HomeID: 'h1',
  ThingName,
  DiscoveredAt: 1,
})

/** Input of a call that adds devices. */
interface Added {
  RoomID?: number
  Peripherals: { PeripheralUID: string; PeripheralName: string; ParentMeter?: string | null }[]
}
const addCalls = () =>
  requests.filter(({ path }) => path === '/AddPeripherals').map(({ body }) => body as Added)
const adds = (body: unknown) =>
  (body as Added).Peripherals.map((one) =>
    aPeripheral({ ...one, PeripheralType: '516', RoomID: (body as Added).RoomID ?? 0 }),
  )

let shown: string[]

function open(
  discovered: ReturnType<typeof found>[],
  address = '?way=devices',
  hubs = [hub('a', 0), hub('b', 2)],
  there: AnsweredPeripheral[] = [],
) {
  server.use(
    answers(peripheralCalls.listDiscovered, discovered),
    answers(peripheral.operations.list, () => ({ Things: hubs, Peripherals: there, Statuses: [] })),
  )
  return openPages({ '/addDevice/:HomeID': <AddDevicesPage /> }, `/addDevice/h1${address}`).user
}
const check = async (user: ReturnType<typeof open>, name: string) =>
  user.click(await screen.findByRole('checkbox', { name }))
const button = (name: string | RegExp) => screen.getByRole('button', { name })
const nameOf = (uid: string) => screen.getByRole('textbox', { name: new RegExp(` ${uid}$`) })

beforeEach(async () => {
  await beginAs()
  await loadNamespaces(['setup'])
  shown = []
  showNoticesWith(({ text }) => shown.push(text()), String)
  server.use(answers(home.operations.list, [aHome('h1', '總部', { 0: '預設房間', 2: '走廊' })]))
})

it('names the missing right to add devices, and sends no call that would be rejected', async () => {
  await beginAs(subUser([{ FeatureKey: 'device', OperationList: ['Read'] }]))
  server.use(answers(people.listGrantors, [{ Name: '示範擁有者' }]))
  open([])
  expect(await screen.findByText(/您缺少「裝置」的「新增」權限/)).toBeTruthy()
  expect(await screen.findByText('可以授權的人：示範擁有者')).toBeTruthy()
  expect(screen.queryByRole('tab')).toBeNull()
  expect(requests.some(({ path }) => path === peripheralCalls.listDiscovered.path)).toBe(false)
})

describe('a site without a hub', () => {
  it('begins with hub type, name, configuration and progress', async () => {
    const hubs: ReturnType<typeof hub>[] = []
    server.use(
      answers(setup.getHubAddress, {
        Hosts: [{ Address: 'gateway.example', Kind: 'page' }],
        Port: 1883,
        Tls: false,
        Reachable: 'all',
      }),
      answers(thing.operations.create, () => {
        hubs.push(hub('a', 0))
        return { ThingName: 'a', DeviceName: '一樓', HomeID: 'h1', RoomID: 0, Secret: 'the-secret' }
      }),
    )
    const user = open([found('p1')], '', hubs)
    await user.click(await screen.findByRole('button', { name: /^Zigbee2MQTT/ }))
    const name = await screen.findByLabelText<HTMLInputElement>(t('resources:thing.fields.DeviceName'))
    expect(name.value).toBe('Zigbee2MQTT')
    await user.clear(name)
    await user.type(name, '一樓')
    await user.click(button(/新增閘道器/))
    // The product's own page is filled in once its broker is known.
    await user.type(await screen.findByLabelText(/MQTT broker/), '192.168.1.10')
    expect(await screen.findByText('mqtt://192.168.1.10:1883')).toBeTruthy()
    // The displayed command hides the secret; the copied one contains it.
    expect(screen.getByText(/--gateway mqtt:\/\/gateway\.example:1883/).textContent).toContain('••••')
    expect(screen.queryByText(/the-secret/)).toBeNull()
    await user.click(button(/給工程師/))
    expect(await screen.findByText('the-secret')).toBeTruthy()
    const receive = (payload: object) => {
      const event = route('root/h1/hub/trial', payload)
      if (event?.channel === 'hubTrial') handleHubTrial(event.payload)
    }
    act(() => {
      for (const news of [
        { Stage: 'reached', Reason: 'wrongPassword', Count: 3, From: '192.168.1.23' },
        { Stage: 'message' },
      ] as const) {
        receive({ ThingName: 'a', Timestamp: 1_800_000_000_000, ...news })
        if (news.Stage === 'reached') receive({ nonsense: true })
      }
    })
    expect(await screen.findByText(t('setup:hub.stages.found', { count: 1 }))).toBeTruthy()
    await user.click(await screen.findByRole('button', { name: t('screens:addDevice.toFound') }))
    expect(await screen.findByRole('checkbox', { name: '裝置 p1' })).toBeTruthy()
    await user.click(screen.getByRole('tab', { name: '新增閘道器' }))
    expect(screen.getByText('the-secret')).toBeTruthy()
  })

  it('shows the error in words', () => {
    const of = (news: object) => {
      const fault = trialFault({ ThingName: 'a', Timestamp: 1, Stage: 'signedIn', ...news } as never)
      return fault && t(fault.key, fault.values)
    }
    expect(of({ Reason: 'wrongPassword', Count: 3, From: '192.168.1.23' })).toMatch(/192\.168\.1\.23.*3 次/)
    expect(of({ Reason: 'clockOff', OffBy: 9 * 3_600_000 })).toContain('快了約 9 小時')
    expect(of({ Reason: 'clockOff', OffBy: -600_000 })).toContain('慢了約 10 分鐘')
    expect(of({ Reason: 'silent' })).toContain('已登入，但 2 分鐘內沒有訊息')
    expect(of({ Reason: 'otherHome' })).toContain('其他場域')
    expect(of({})).toBeUndefined()
  })

  it('uses only the local address if the broker listens on its own machine alone', async () => {
    server.use(
      answers(setup.getHubAddress, { Hosts: [], Port: 1883, Tls: false, Reachable: 'thisComputer' }),
      answers(thing.operations.create, {
        ThingName: 'a',
        DeviceName: '一樓',
        HomeID: 'h1',
        RoomID: 0,
        Secret: 'the-secret',
      }),
    )
    const user = open([], '', [])
    await user.click(await screen.findByRole('button', { name: /還沒有設備/ }))
    await user.click(await screen.findByRole('button', { name: /新增閘道器/ }))
    expect(await screen.findByText(/MQTT_HOST=0\.0\.0\.0/)).toBeTruthy()
    expect(screen.getByText(/--url mqtt:\/\/127\.0\.0\.1:1883/)).toBeTruthy()
  })
})

describe('a hub setup that was left unfinished', () => {
  it('is listed with a link to its page', async () => {
    open([], '?way=hub', [{ ...hub('a', 0), Online: false, SeenAt: null as unknown as number }, hub('b', 2)])
    const link = await screen.findByRole('link', { name: 'a 閘道器' })
    expect(link.getAttribute('href')).toBe('/DeviceList/h1?device=a')
    expect(screen.queryByRole('link', { name: 'b 閘道器' })).toBeNull()
  })
})

it('writes the settings of a hub in the format of its configuration file', () => {
  const rootId = '6f1d3c1e-0d0e-4f0a-9a39-5a51f9b3a001'
  const text = settingsAsJson(
    connectionSettings({
      host: 'gateway.example',
      port: 8883,
      rootId,
      homeId: 'home-1',
      thingName: 'hub-1',
      secret: 's',
    }),
    true,
  )
  const servers = [{ host: '10.0.0.5', devices: [{ unit: 1 }] }]
  expect(ModbusHubConfig.parse({ ...JSON.parse(text), servers }).gateway).toEqual({
    url: 'mqtts://gateway.example:8883',
    rootId,
    homeId: 'home-1',
    thingName: 'hub-1',
    secret: 's',
  })
})

describe('adding devices that hubs found', () => {
  it('searches the list, keeps the selection, and says when nothing matches', async () => {
    const user = open(Array.from({ length: 12 }, (_, i) => found(String(i + 1))))
    await check(user, '裝置 1')
    const box = screen.getByRole('searchbox', { name: t('screens:devices.search') })
    await user.type(box, '裝置 12')
    await waitFor(() => expect(screen.getAllByRole('checkbox')).toHaveLength(1))
    await check(user, '裝置 12')
    expect(screen.getByRole('status').textContent).toContain('已選 2 / 8')
    await user.type(box, 'x')
    expect(await screen.findByText(t('screens:devices.noMatch'))).toBeTruthy()
    await user.click(button('下一步'))
    expect([nameOf('1'), nameOf('12')]).toHaveLength(2)
  })

  it('hides Han modules, sorts by name, and allows at most eight devices', async () => {
    const user = open([
      found('10'),
      ...Array.from({ length: 9 }, (_, i) => found(String(i + 1))),
      found('han', '523'),
      found('gas', '524'),
    ])
    await check(user, '裝置 1')
    const boxes = screen.getAllByRole('checkbox')
    expect(boxes.map((box) => box.getAttribute('aria-label'))).toEqual(
      Array.from({ length: 10 }, (_, i) => `裝置 ${i + 1}`),
    )
    for (const box of boxes.slice(1, 8)) await user.click(box)
    expect((boxes[8] as HTMLInputElement).disabled).toBe(true)
    expect(screen.getByRole('status').textContent).toContain(t('screens:addDevice.most'))
    await user.click(boxes[0] as HTMLElement)
    expect((boxes[8] as HTMLInputElement).disabled).toBe(false)
  })

  it('says what to do if no device was found', async () => {
    open([])
    expect(await screen.findByText(t('screens:addDevice.noneFound'))).toBeTruthy()
  })

  it('keeps entered names when stepping back and forth, and requires a name', async () => {
    const user = open([found('1'), found('2')])
    await check(user, '裝置 1')
    await user.click(button('下一步'))
    await user.clear(nameOf('1'))
    expect(screen.getByRole('alert').textContent).toBe(t('errors:fields.name'))
    expect((button('新增 1 個裝置') as HTMLButtonElement).disabled).toBe(true)
    await user.type(nameOf('1'), '大廳主燈')
    await user.click(button('上一步'))
    await check(user, '裝置 2')
    await user.click(button('下一步'))
    expect((nameOf('1') as HTMLInputElement).value).toBe('大廳主燈')
    expect((nameOf('2') as HTMLInputElement).value).toBe('裝置 2')
  })

  it('adds the devices of each room in one call, by default to the room of their hub', async () => {
    server.use(answers(peripheral.operations.create, adds))
    const user = open([found('1'), found('2', '516', 'b'), found('3')])
    for (const uid of ['1', '2', '3']) await check(user, `裝置 ${uid}`)
    await user.click(button('下一步'))
    await user.click(button('新增 3 個裝置'))
    for (const uid of ['1', '2', '3']) expect(await screen.findByText(`已新增「裝置 ${uid}」`)).toBeTruthy()
    expect(
      addCalls().map(({ RoomID, Peripherals }) => [RoomID, Peripherals.map((one) => one.PeripheralUID)]),
    ).toEqual([
      [0, ['1', '3']],
      [2, ['2']],
    ])
  })

  it('names a failed device, adds the others, and keeps the failed one for a retry', async () => {
    const refused = (body: unknown) =>
      (body as Added).Peripherals.some(({ PeripheralUID }) => PeripheralUID === '2')
    server.use(
      answers(peripheral.operations.create, (body) => {
        if (refused(body)) throw new Error('refused')
        return adds(body)
      }),
    )
    const user = open([found('1'), found('2'), found('3')])
    for (const uid of ['1', '2', '3']) await check(user, `裝置 ${uid}`)
    await user.click(button('下一步'))
    await user.click(button('新增 3 個裝置'))
    expect(await screen.findByText('已新增「裝置 1」')).toBeTruthy()
    expect(screen.getByText('已新增「裝置 3」')).toBeTruthy()
    expect(screen.getByText(/^無法新增「裝置 2」：.+/)).toBeTruthy()
    server.use(answers(peripheralCalls.listDiscovered, [found('2'), found('4')]))
    await user.click(button('再新增裝置'))
    expect(screen.getByRole('status').textContent).toContain('已選 1 / 8')
    expect(screen.getByRole<HTMLInputElement>('checkbox', { name: '裝置 2' }).checked).toBe(true)
  })
})

describe('meters that hubs found', () => {
  const meter = (PeripheralUID: string, PeripheralName: string, ParentMeter: string | null = null) =>
    aPeripheral({ PeripheralUID, PeripheralName, PeripheralType: '514', ParentMeter })
  const question = (uid: string) =>
    screen.getByRole('combobox', { name: `「裝置 ${uid}」計量的用電，是否已包含在另一個電表的讀數中？` })
  const adding = (name: RegExp) => screen.getByRole<HTMLButtonElement>('button', { name })
  const answer = async (user: ReturnType<typeof open>, uid: string, words: string) => {
    await user.click(question(uid))
    const shownLists = document.querySelectorAll('.ant-select-dropdown:not(.ant-select-dropdown-hidden)')
    await user.click(within([...shownLists].at(-1) as HTMLElement).getByTitle(words))
  }

  it('are added after asking for their parent meter, without a preselected answer', async () => {
    server.use(answers(peripheral.operations.create, adds))
    const user = open([found('1', '514'), found('2')], '?way=devices', undefined, [
      meter('sub', '空調', 'main'),
      meter('main', '總電表'),
      aPeripheral({ PeripheralUID: 'lamp', PeripheralType: '516' }),
    ])
    for (const uid of ['1', '2']) await check(user, `裝置 ${uid}`)
    await user.click(button('下一步'))
    expect(screen.getAllByText(/是否已包含在另一個電表/)).toHaveLength(1)
    expect(adding(/新增 2 個裝置/).disabled).toBe(true)
    await user.click(question('1'))
    const titles = [...document.querySelectorAll('.ant-select-item-option')].map((one) =>
      one.getAttribute('title'),
    )
    expect(titles).toEqual(['沒有，單獨計入合計', '有，母電表是「總電表」', '有，母電表是「空調」'])
    await answer(user, '1', '有，母電表是「總電表」')
    await user.type(nameOf('1'), '號')
    await user.click(adding(/新增 2 個裝置/))
    expect(await screen.findByText('已新增「裝置 1號」')).toBeTruthy()
    expect(addCalls().flatMap(({ Peripherals }) => Peripherals)).toEqual([
      { PeripheralUID: '1', PeripheralName: '裝置 1號', ParentMeter: 'main' },
      { PeripheralUID: '2', PeripheralName: '裝置 2' },
    ])
  })

  it("can be each other's parent, and are added after their parent", async () => {
    server.use(answers(peripheral.operations.create, adds))
    const user = open([found('1', '514'), found('2', '520'), found('3', '514', 'b')])
    for (const uid of ['1', '2', '3']) await check(user, `裝置 ${uid}`)
    await user.click(button('下一步'))
    await answer(user, '1', '有，母電表是「裝置 2」')
    await answer(user, '2', '有，母電表是「裝置 3」')
    expect(adding(/新增 3 個裝置/).disabled).toBe(true)
    await answer(user, '3', '沒有，單獨計入合計')
    await user.click(adding(/新增 3 個裝置/))
    expect(await screen.findByText('已新增「裝置 1」')).toBeTruthy()
    expect(
      addCalls().flatMap(({ Peripherals }) => Peripherals.map((one) => [one.PeripheralUID, one.ParentMeter])),
    ).toEqual([
      ['3', undefined],
      ['2', '3'],
      ['1', '2'],
    ])
  })

  it('are added without asking if they are the first meters of a site', async () => {
    server.use(answers(peripheral.operations.create, adds))
    const user = open([found('1', '514'), found('2', '530')])
    for (const uid of ['1', '2']) await check(user, `裝置 ${uid}`)
    await user.click(button('下一步'))
    expect(screen.queryByText(/是否已包含在另一個電表/)).toBeNull()
    await user.click(adding(/新增 2 個裝置/))
    expect(await screen.findByText('已新增「裝置 1」')).toBeTruthy()
  })
})

describe('a device that someone else adds at the same time', () => {
  it('stays in the list and is rejected by name', async () => {
    const user = open([found('1'), found('2')])
    for (const uid of ['1', '2']) await check(user, `裝置 ${uid}`)
    await user.click(button('下一步'))
    server.use(
      answers(peripheralCalls.listDiscovered, [found('2')]),
      answers(peripheral.operations.create, (body) => {
        if ((body as Added).Peripherals.some(({ PeripheralUID }) => PeripheralUID === '1'))
          throw new Error('refused')
        return adds(body)
      }),
    )
    await act(() => queryClient.invalidateQueries({ queryKey: callKey(peripheralCalls.listDiscovered) }))
    expect(nameOf('1')).toBeTruthy()
    await user.type(nameOf('2'), ' ')
    await user.click(button('新增 2 個裝置'))
    expect(await screen.findByText('已新增「裝置 2」')).toBeTruthy()
    expect(screen.getByText(/^無法新增「裝置 1」：.+/)).toBeTruthy()
  })
})

describe('cameras and remotes', () => {
  const type = async (user: ReturnType<typeof open>, label: string, text: string) =>
    user.type(await screen.findByLabelText(label), text)

  it('adds a camera by its address and empties the form for the next', async () => {
    server.use(
      answers(
        cameraAndIr.casaAddPeripheralAdvanceInfo,
        aPeripheral({ PeripheralUID: 'cam', PeripheralType: '752', PeripheralName: '大門', ThingName: null }),
      ),
    )
    const user = open([], '?way=camera')
    await user.click(await screen.findByRole('button', { name: '新增攝影機' }))
    expect(await screen.findByText(t('errors:fields.name'))).toBeTruthy()
    expect(await screen.findByText(t('errors:fields.required'))).toBeTruthy()
    await type(user, t('resources:peripheral.fields.PeripheralName'), '大門')
    await type(user, '串流網址（HLS）', 'http://10.0.0.7/live.m3u8')
    await user.click(button('新增攝影機'))
    const done = within(await screen.findByRole('alert'))
    expect(await done.findByText('已新增「大門」')).toBeTruthy()
    expect(done.getByRole('link').getAttribute('href')).toBe('/DeviceInfo/h1/cam')
    expect(requests.find(({ path }) => path === '/CasaAddPeripheralAdvanceInfo')?.body).toEqual({
      HomeID: 'h1',
      PeripheralName: '大門',
      RoomID: 0,
      StreamUrl: 'http://10.0.0.7/live.m3u8',
      UserName: null,
    })
    expect((screen.getByLabelText('串流網址（HLS）') as HTMLInputElement).value).toBe('')
  })

  it('shows at its field why the gateway rejected an address', async () => {
    server.use(
      rejectCall(cameraAndIr.casaAddPeripheralAdvanceInfo, 'INVALID', {
        fields: { StreamUrl: 'urlCredentials' },
      }),
    )
    const user = open([], '?way=camera')
    await type(user, t('resources:peripheral.fields.PeripheralName'), '大門')
    await type(user, '串流網址（HLS）', 'http://10.0.0.7/live.m3u8')
    await user.click(button('新增攝影機'))
    expect(await screen.findByText(t('errors:fields.urlCredentials'))).toBeTruthy()
  })

  it.each([
    ['how many it added', 2, 0, '已加入 2 個裝置'],
    ['how many are left', 8, 3, '已加入 8 個裝置，還有 3 個，請再按一次。'],
    ['that there is nothing to add', 0, 0, '閘道器沒有找到可加入的攝影機或紅外線遙控器。'],
  ])('synchronizes and shows %s', async (_, count, Left, words) => {
    server.use(
      answers(cameraAndIr.casaDeviceSync, {
        Added: Array.from({ length: count }, (__, i) =>
          aPeripheral({ PeripheralUID: `r${i}`, PeripheralType: '760' }),
        ),
        Left,
      }),
    )
    const user = open([], '?way=camera')
    await user.click(await screen.findByRole('button', { name: '立即同步' }))
    await waitFor(() => expect(shown).toEqual([words]))
  })
})
