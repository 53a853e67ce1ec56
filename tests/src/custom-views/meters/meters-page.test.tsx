import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { meterCorrections, type MeterCorrection } from '../../../../contract/meters/correction-calls.ts'
import { meterData } from '../../../../contract/energy/meter-data-calls.ts'
import { meterFacts } from '../../../../contract/meters/fact-calls.ts'
import { placeFacts } from '../../../../contract/homes/place-facts-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { peripheral, peripheralCalls } from '../../../../contract/devices/peripheral.ts'
import { virtualMeter, type VirtualMeter } from '../../../../contract/meters/virtual-meter.ts'
import { home } from '../../../../contract/homes/home.ts'
import MetersPage from '../../../../src/custom-views/meters/meters-page.tsx'
import { queryClient } from '../../../../src/data/api.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { me } from '../../../../src/data/session.ts'
import { answers, rejectCall, server, signInAs, subUser } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { line, point } from '../../domain/energy/points.ts'
import { aHome, prepareSession, openPage, sentTo } from '../../support/page.tsx'
import { onPhone } from '../../../support/on-phone.ts'

const status = (PeripheralUID: string, DailyKwh: number) => ({
  PeripheralUID,
  HomeID: 'h1',
  LastUpdateTimestamp: Date.now() - 60_000,
  HourlyKwh: 1,
  DailyKwh,
  MonthlyKwh: DailyKwh * 10,
  AccumulatePower: 1234,
  AvgElectricCurrent: 1,
  Power: 1500,
  PowerMeterUpdateFrequency: 900,
  IsCurrent: true,
})
const at = Date.parse('2026-03-04T11:00:00+08:00')
const replacement: MeterCorrection = {
  CorrectionID: '6f1c6a0e-0f43-4c4e-9d0e-0c3c5a3b8f01',
  HomeID: 'h1',
  PeripheralUID: 'a',
  PeripheralName: '總表',
  Kind: 'replacement',
  From: at,
  To: at,
  kWh: null,
  Sharing: null,
  OldKwh: 135,
  NewKwh: 3.5,
  Note: '換表單 12',
  AuthorName: '王小明',
  CreatedAt: at,
  UndoneAt: null,
  UndoneBy: null,
}
const jump = {
  PeripheralUID: 'b',
  PeripheralName: '空調',
  Timestamp: at,
  Value: 1_000_000,
  Reason: 'jump' as const,
  Stored: null,
  Before: { Timestamp: at - 3_600_000, kWh: 17 },
}

const open = (search = '') => openPage(<MetersPage />, '/meters/:HomeID', `/meters/h1${search}`)

beforeAll(() => loadNamespaces(['balance', 'energy', 'meters']))
beforeEach(() => {
  prepareSession()
  server.use(
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(home.operations.list, [aHome()]),
    answers(peripheral.operations.list, {
      Things: [],
      Peripherals: [
        aPeripheral({ PeripheralUID: 'a', PeripheralType: '514', PeripheralName: '總表' }),
        aPeripheral({ PeripheralUID: 'b', PeripheralType: '514', PeripheralName: '空調', ParentMeter: 'a' }),
      ],
      Statuses: [],
    }),
    answers(meterData.getAllMeterData, [status('a', 10), status('b', 4)]),
    answers(meterCorrections.listQuarantinedReading, { Rows: [], Total: 0, NextCursor: null, Proposals: [] }),
    answers(meterCorrections.listMeterCorrection, []),
    answers(meterFacts.listMeterFact, []),
    answers(meterData.getEnergySeries, {
      Series: [line('b', 0, [1])],
      Meters: { Reporting: 1, Total: 1 },
      Carbon: [],
    }),
    answers(virtualMeter.operations.list, []),
  )
})

const WITHOUT_COOLING: VirtualMeter = {
  VirtualMeterID: 'virtual-1',
  HomeID: 'h1',
  VirtualMeterName: '扣除空調',
  Terms: [
    { PeripheralUID: 'a', Factor: 1 },
    { PeripheralUID: 'b', Factor: -1 },
  ],
  Version: 1,
}

describe('the meters page', () => {
  it('shows meters below their parents with the remainder, and why a parent was rejected', async () => {
    onPhone()
    server.use(rejectCall(meterFacts.setMeterFact, 'CONFLICT', { fields: { Value: 'loop' } }))
    const { user } = open()
    const rest = (await screen.findByText('未分項用電')).closest('li') as HTMLElement
    expect(within(rest).getByText('6.00')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: '「總表」的更多動作' }))
    await user.click(screen.getByRole('menuitem', { name: '設定母電表' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByRole('button', { name: /儲.?存/ }))
    expect((await within(dialog).findByRole('alert')).textContent).toBe('電表不能成為自己的母電表')
  })

  it('shows the main meters of a long tree, and the submeters of one that is unfolded', async () => {
    const uids = Array.from({ length: 12 }, (_, i) => `c${i}`)
    server.use(
      answers(peripheral.operations.list, {
        Things: [],
        Peripherals: [
          aPeripheral({ PeripheralUID: 'a', PeripheralType: '514', PeripheralName: '總表' }),
          ...uids.map((PeripheralUID) =>
            aPeripheral({
              PeripheralUID,
              PeripheralType: '514',
              PeripheralName: PeripheralUID,
              ParentMeter: 'a',
            }),
          ),
        ],
        Statuses: [],
      }),
      answers(meterData.getAllMeterData, [status('a', 10), ...uids.map((uid) => status(uid, 0))]),
    )
    const { user } = open()
    const fold = await screen.findByRole('button', { name: '「總表」的子電表', expanded: false })
    expect(screen.queryByText('c3')).toBeNull()
    await user.click(fold)
    expect(screen.getByText('c3')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: '全部收合' }))
    expect(screen.queryByText('c3')).toBeNull()
  })

  it('shows virtual meters with a role in the tree, with their children and energy', async () => {
    onPhone()
    const fact = { From: null, By: null, At: 0 }
    server.use(
      answers(virtualMeter.operations.list, [
        WITHOUT_COOLING,
        { ...WITHOUT_COOLING, VirtualMeterID: 'virtual-2', VirtualMeterName: '不計入' },
      ]),
      answers(meterFacts.listMeterFact, [
        { ...fact, MeterID: 'virtual-1', Fact: 'role', Value: 'load' },
        { ...fact, MeterID: 'virtual-1', Fact: 'parent', Value: 'a' },
      ]),
      answers(meterData.getEnergySeries, {
        Series: [{ Key: 'virtual-1', Points: [point(Date.now(), 6)] }],
        Meters: { Reporting: 1, Total: 1 },
        Carbon: [],
      }),
    )
    const { user } = open()
    const row = (await screen.findByRole('link', { name: '扣除空調' })).closest('li') as HTMLElement
    await waitFor(() => expect(within(row).getAllByText('6.00')).toHaveLength(2))
    expect(within(row).getByText('虛擬')).toBeTruthy()
    expect(screen.queryByText('不計入')).toBeNull()
    const rest = (await screen.findByText('未分項用電')).closest('li') as HTMLElement
    expect(within(rest).getByText('0')).toBeTruthy()
    await user.click(screen.getByRole('button', { name: '「扣除空調」的更多動作' }))
    expect(screen.queryByRole('menuitem', { name: '更正用電' })).toBeNull()
    await user.click(screen.getByRole('menuitem', { name: '電表角色' }))
    expect(await screen.findByRole('dialog')).toBeTruthy()
  })

  describe('moves a meter', () => {
    const choose = async (user: UserEvent, what: string) => {
      await user.click(await screen.findByRole('button', { name: '「空調」的更多動作' }))
      await user.click(screen.getByRole('menuitem', { name: what }))
      return within(await screen.findByRole('dialog'))
    }
    const save = async (user: UserEvent, dialog: Awaited<ReturnType<typeof choose>>) => {
      await user.click(dialog.getByRole('button', { name: /儲.?存/ }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    }

    it('from today, unless the user selects "always", and shows the affected months', async () => {
      // On the first day of a month, the whole month would move.
      vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-03-18T12:00:00+08:00') })
      onTestFinished(() => void vi.useRealTimers())
      server.use(answers(meterFacts.setMeterFact, []))
      const { user } = open()
      const dialog = await choose(user, '設定母電表')
      expect(await dialog.findByText('最近兩年的用電歸屬都不會改變。')).toBeTruthy()
      await user.click(dialog.getByRole('combobox', { name: '母電表' }))
      await user.click(await screen.findByTitle('沒有母電表'))
      const preview = await dialog.findByRole('region', { name: '變更內容' })
      expect(within(preview).getAllByRole('row')).toHaveLength(3)
      expect(preview.textContent).toContain('總表 → 沒有母電表')
      await user.click(dialog.getByRole('radio', { name: '一直以來' }))
      expect(preview.textContent).not.toContain('總表 → 沒有母電表')
      await save(user, dialog)
      expect(sentTo(meterFacts.setMeterFact.path)).toMatchObject([
        { HomeID: 'h1', MeterID: 'b', Fact: 'parent', Value: null, From: null, Seen: [] },
      ])
    })

    it('on a selected day, with the version that the user saw', async () => {
      server.use(
        answers(meterFacts.setMeterFact, []),
        answers(meterFacts.listMeterFact, [
          { MeterID: 'b', Fact: 'room', From: null, Value: 0, By: null, At: at },
          { MeterID: 'b', Fact: 'room', From: '2025-01-01', Value: 1, By: '王小明', At: at },
        ]),
      )
      const { user } = open()
      const dialog = await choose(user, '設定房間')
      await user.click(dialog.getByRole('radio', { name: '從指定日期起' }))
      const day = dialog.getByLabelText('第一天')
      await user.clear(day)
      await user.type(day, '2026-03-04{Enter}')
      await save(user, dialog)
      expect(sentTo(meterFacts.setMeterFact.path)).toMatchObject([
        {
          Fact: 'room',
          From: '2026-03-04',
          Seen: [
            { From: null, Value: 0 },
            { From: '2025-01-01', Value: 1 },
          ],
        },
      ])
    })

    it('only from today without the right to change energy', async () => {
      const mover = subUser([
        { FeatureKey: 'device', OperationList: ['Read', 'Update'] },
        { FeatureKey: 'electricity', OperationList: ['Read'] },
      ])
      signInAs(mover)
      me.set(mover)
      server.use(
        answers(peripheralCalls.updateAdvance, (body) =>
          aPeripheral({ ...(body as { PeripheralUID: string }), PeripheralType: '514' }),
        ),
      )
      const { user } = open()
      const dialog = await choose(user, '設定母電表')
      expect(dialog.queryByRole('radio')).toBeNull()
      expect(dialog.getByText(/從今天起生效/)).toBeTruthy()
      await save(user, dialog)
      expect(sentTo(peripheralCalls.updateAdvance.path)).toMatchObject([{ PeripheralUID: 'b' }])
    })
  })

  it('undoes a replacement after confirmation, and lists it as undone', async () => {
    server.use(
      answers(meterCorrections.listMeterCorrection, [replacement]),
      answers(meterCorrections.undoMeterCorrection, { ...replacement, UndoneAt: at, UndoneBy: '王小明' }),
    )
    const { user } = open('?tab=replace')
    const list = await screen.findByRole('list', { name: '更換紀錄' })
    expect(list.textContent).toContain('2026/3/4 11:00：舊表 135.00 kWh，新表 3.50 kWh')
    expect(list.textContent).toContain('換表單 12')
    await user.click(within(list).getByRole('button', { name: /復.?原/ }))
    server.use(
      answers(meterCorrections.listMeterCorrection, [{ ...replacement, UndoneAt: at, UndoneBy: '王小明' }]),
    )
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /復.?原/ }))
    expect(await screen.findByText('王小明 已於 2026/3/4 11:00 復原')).toBeTruthy()
    expect(sentTo('/UndoMeterCorrection')).toMatchObject([{ CorrectionID: replacement.CorrectionID }])
  })

  it('shows why a reading is quarantined, counts it on the tab, and names the outcome', async () => {
    server.use(
      answers(meterCorrections.listQuarantinedReading, {
        Rows: [jump],
        Total: 1,
        NextCursor: null,
        Proposals: [],
      }),
      answers(meterCorrections.decideQuarantinedReading, { Decided: 1 }),
    )
    const { user } = open('?tab=quarantined')
    const list = await screen.findByRole('list', { name: '待確認讀數' })
    expect(list.textContent).toContain('突然升高')
    expect(list.textContent).toContain('前一筆：17.00 kWh（2026/3/4 10:00:00）')
    expect(screen.getByRole('tab', { name: /待確認讀數 1/ })).toBeTruthy()
    await user.click(within(list).getByRole('button', { name: /^捨棄：空調/ }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /捨.?棄/ }))
    expect(await screen.findByText('成功')).toBeTruthy()
    expect(sentTo('/DecideQuarantinedReading')).toMatchObject([
      { Decision: 'dropped', Readings: [{ PeripheralUID: 'b', Timestamp: at, Value: 1_000_000 }] },
    ])
  })

  it('accepts a proposal with one click: a higher limit, or two replacements', async () => {
    const shared = { PeripheralUID: 'b', PeripheralName: null, Since: at, Count: 9, kWh: 900 }
    const First = { Timestamp: at, Value: 1_000_000 }
    const proposal = { ...shared, First, Kind: 'limit' as const, Kw: 150, LimitKw: 180, Replacements: [] }
    const ends = [
      { At: at - 60_000, OldKwh: 1_330, NewKwh: 5 },
      { At: at, OldKwh: 8, NewKwh: 1_333 },
    ]
    const fell = {
      ...proposal,
      PeripheralUID: 'a',
      Kind: 'replacements' as const,
      Kw: null,
      LimitKw: null,
      Replacements: ends,
    }
    server.use(
      answers(meterCorrections.listQuarantinedReading, {
        Rows: [jump],
        Total: 1,
        NextCursor: null,
        Proposals: [proposal, fell],
      }),
      answers(meterCorrections.decideQuarantinedReading, { Decided: 1 }),
      answers(meterCorrections.createMeterCorrection, replacement),
    )
    const { user } = open('?tab=quarantined')
    const list = await screen.findByRole('list', { name: '建議' })
    await user.click(within(list).getByRole('button', { name: /^計入，上限設為 180/ }))
    await expect
      .poll(() => sentTo('/DecideQuarantinedReading'))
      .toMatchObject([{ Decision: 'accepted', LimitKw: 180, Readings: [{ PeripheralUID: 'b', ...First }] }])
    await user.click(within(list).getByRole('button', { name: /^登記這兩次更換/ }))
    await expect
      .poll(() => sentTo('/CreateMeterCorrection'))
      .toMatchObject(
        ends.map(({ At, ...values }) => ({ PeripheralUID: 'a', Kind: 'replacement', From: At, ...values })),
      )
  })

  it('raises the limit of a meter with one decision, to the proposed value or an entered one', async () => {
    server.use(
      answers(meterCorrections.listQuarantinedReading, {
        Rows: [jump],
        Total: 1,
        NextCursor: null,
        Proposals: [],
      }),
      answers(meterCorrections.decideQuarantinedReading, { Decided: 1 }),
    )
    const { user } = open('?tab=quarantined')
    const list = await screen.findByRole('list', { name: '待確認讀數' })
    await user.click(within(list).getByRole('button', { name: /^計入：空調/ }))
    const dialog = within(await screen.findByRole('dialog'))
    const limit = dialog.getByRole<HTMLInputElement>('spinbutton', { name: '此電表的功率上限（kW）' })
    expect(limit.value).toBe('1200000')
    fireEvent.change(limit, { target: { value: '1500000' } })
    await user.click(dialog.getByRole('button', { name: /計.?入/ }))
    expect(await screen.findByText('成功')).toBeTruthy()
    expect(sentTo('/DecideQuarantinedReading')).toMatchObject([{ Decision: 'accepted', LimitKw: 1_500_000 }])
  })

  it('says that someone else decided otherwise, and undoes nothing', async () => {
    server.use(
      answers(meterCorrections.listQuarantinedReading, {
        Rows: [jump],
        Total: 1,
        NextCursor: null,
        Proposals: [],
      }),
      rejectCall(meterCorrections.decideQuarantinedReading, 'CONFLICT', {
        fields: { 'Readings.0': 'changed' },
      }),
    )
    const { user } = open('?tab=quarantined')
    const list = await screen.findByRole('list', { name: '待確認讀數' })
    await user.click(within(list).getByRole('button', { name: /^捨棄：空調/ }))
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /捨.?棄/ }))
    expect(await screen.findByText(/已由他人作出不同的決定/)).toBeTruthy()
  })

  it('links a quarantined reading to its day, its meter, and a possible replacement', async () => {
    server.use(
      answers(meterCorrections.listQuarantinedReading, {
        Rows: [jump],
        Total: 1,
        NextCursor: null,
        Proposals: [],
      }),
      answers(meterData.getHistoryStatusData, { Rows: [], NextCursor: null }),
      answers(meterData.getLastHistoryStatusData, []),
      answers(meterData.getEnergySeries, {
        Series: [line('b', 0, [1])],
        Meters: { Reporting: 1, Total: 1 },
        Carbon: [],
      }),
    )
    const { user, address } = open('?tab=quarantined')
    const list = await screen.findByRole('list', { name: '待確認讀數' })
    expect(within(list).getByRole('link', { name: '空調' }).getAttribute('href')).toBe('/DeviceInfo/h1/b')
    expect(within(list).getByRole('link', { name: '查看當天的讀數' }).getAttribute('href')).toBe(
      '/history/h1?q=b%3AAccumulatePower&range=2026-03-04',
    )
    await user.click(within(list).getByRole('button', { name: /^登記更換電表：空調/ }))
    expect(address()).toBe('?tab=replace&meter=b&at=2026-03-04T11%3A00')
    expect(screen.getByLabelText<HTMLInputElement>(/更換時間/).value).toBe('2026-03-04 11:00')
  })

  it('deletes all meters below a meter together', async () => {
    server.use(answers(virtualMeter.operations.create, WITHOUT_COOLING))
    open('?tab=virtual')
    fireEvent.click(await screen.findByText('新增虛擬電表'))
    const dialog = await screen.findByRole('dialog')
    const box = within(dialog).getByLabelText('第 1 個電表', { selector: 'input' })
    fireEvent.change(box, { target: { value: '總表' } })
    fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 })
    fireEvent.click(await within(dialog).findByText('減去「總表」之下的所有電表'))
    fireEvent.change(within(dialog).getByLabelText('名稱'), { target: { value: '公設' } })
    fireEvent.click(within(dialog).getByText(/儲.?存/))
    await waitFor(() =>
      expect(sentTo('/CreateVirtualMeter')).toMatchObject([
        { VirtualMeterName: '公設', Terms: WITHOUT_COOLING.Terms },
      ]),
    )
  })

  describe('asks for confirmation before a tab with unsaved input is left', () => {
    const typeAndLeave = async () => {
      const opened = open('?tab=correct&meter=b')
      await screen.findByText('更正一段時間的用電')
      fireEvent.change(screen.getByLabelText(/^備註/), { target: { value: '抄表' } })
      await opened.user.click(screen.getByRole('tab', { name: '電表' }))
      return opened
    }

    it('and keeps the input', async () => {
      const { user, address } = await typeAndLeave()
      await user.click(await screen.findByText('留在此頁'))
      expect(screen.getByLabelText<HTMLTextAreaElement>(/^備註/).value).toBe('抄表')
      expect(address()).toBe('?tab=correct&meter=b')
    })

    it('and discards the input', async () => {
      const { user, address } = await typeAndLeave()
      await user.click(await screen.findByText('捨棄並離開'))
      await waitFor(() => expect(address()).toBe(''))
    })
  })

  it('adds a meter that is the difference of two, and shows why one was rejected', async () => {
    server.use(
      rejectCall(virtualMeter.operations.create, 'CONFLICT', { fields: { VirtualMeterName: 'taken' } }),
    )
    open('?tab=virtual')
    fireEvent.click(await screen.findByText('新增虛擬電表'))
    const dialog = await screen.findByRole('dialog')
    const type = (label: string, value: string) => {
      const box = within(dialog).getByLabelText(label, { selector: 'input' })
      fireEvent.change(box, { target: { value } })
      return box
    }
    const choose = (label: string, name: string) =>
      fireEvent.keyDown(type(label, name), { key: 'Enter', keyCode: 13 })
    type('名稱', '扣除空調')
    choose('第 1 個電表', '總表')
    fireEvent.click(within(dialog).getByText('新增電表'))
    fireEvent.click(within(dialog).getAllByText('− 減')[1] as HTMLElement)
    choose('第 2 個電表', '空調')
    fireEvent.click(within(dialog).getByText(/儲.?存/))
    expect(await within(dialog).findByText('已被使用，請換一個')).toBeTruthy()
    expect(sentTo('/CreateVirtualMeter')).toEqual([
      {
        HomeID: 'h1',
        VirtualMeterName: '扣除空調',
        Terms: [
          { PeripheralUID: 'a', Factor: 1 },
          { PeripheralUID: 'b', Factor: -1 },
        ],
      },
    ])
  })

  it('shows virtual meters as read-only without the right to change them', async () => {
    me.set(subUser([{ FeatureKey: 'electricity', OperationList: ['Read'] }]))
    server.use(
      answers(virtualMeter.operations.list, [WITHOUT_COOLING]),
      answers(meterData.getEnergySeries, {
        Series: [line('virtual-1', 0, [6])],
        Meters: { Reporting: 2, Total: 2 },
        Carbon: [],
      }),
    )
    open('?tab=virtual')
    const list = await screen.findByRole('list', { name: '虛擬電表' })
    expect(await within(list).findByText('6.00')).toBeTruthy()
    fireEvent.click(within(list).getByRole('button', { name: /更多動作/ }))
    expect(
      within(list)
        .getAllByRole('menuitem')
        .map(({ textContent }) => textContent),
    ).toEqual(['沿革'])
    expect(screen.getByText(/您缺少「.*」的「.*」權限/)).toBeTruthy()
  })

  it('shows how much of a virtual meter is unknown', async () => {
    server.use(
      answers(virtualMeter.operations.list, [WITHOUT_COOLING]),
      answers(meterData.getEnergySeries, {
        Series: [line('virtual-1', 0, [6, null, null, null])],
        Meters: { Reporting: 2, Total: 2 },
        Carbon: [],
      }),
    )
    open('?tab=virtual')
    const list = await screen.findByRole('list', { name: '虛擬電表' })
    expect(await within(list).findByText('缺漏 75.0% 的資料')).toBeTruthy()
  })

  describe('a correction', () => {
    /** Types a time without opening the calendar. */
    const typeMoment = (label: RegExp, value: string) => {
      const box = screen.getByLabelText(label)
      fireEvent.mouseDown(box)
      fireEvent.change(box, { target: { value } })
      fireEvent.keyDown(box, { key: 'Enter', keyCode: 13 })
    }
    const midnight = Date.parse('2026-03-04T00:00:00+08:00')
    /** Day with data in the first and the last hours only. */
    const knownAround = (body: unknown) => {
      const { From, Resolution } = body as { From: number; Resolution: string }
      const Points =
        Resolution === 'day'
          ? [
              {
                ...point(midnight, 12),
                Coverage: { Measured: 8, Between: 0, Estimated: 0, Corrected: 0, Missing: 88, Withheld: 0 },
              },
            ]
          : [point(From, 6)]
      return { Series: [{ Key: 'b', Points }], Meters: { Reporting: 1, Total: 1 }, Carbon: [] }
    }
    const fill = async () => {
      await screen.findByText('更正一段時間的用電')
      typeMoment(/^開始/, '2026-03-04 08:00')
      typeMoment(/^結束/, '2026-03-04 10:00')
    }

    it('shows the previous energy of an unknown time as unknown, not zero', async () => {
      server.use(answers(meterData.getEnergySeries, knownAround))
      open('?tab=correct&meter=b')
      await fill()
      const preview = await screen.findByRole('region', { name: '儲存後的變化' })
      const row = (await within(preview).findByText('更正的時段')).closest('tr') as HTMLElement
      expect(row.textContent).toContain('–')
      expect(row.textContent).not.toContain('0.00')
    })

    it('clears the error at the time when another time is entered', async () => {
      server.use(
        answers(meterData.getEnergySeries, knownAround),
        rejectCall(meterCorrections.createMeterCorrection, 'CONFLICT', { fields: { From: 'overlap' } }),
      )
      open('?tab=correct&meter=b')
      await fill()
      fireEvent.change(screen.getByLabelText(/^用電量/), { target: { value: '8' } })
      fireEvent.change(screen.getByLabelText(/^備註/), { target: { value: '抄表' } })
      fireEvent.click(screen.getByText('儲存更正'))
      expect((await screen.findByRole('alert')).textContent).toBe(
        '這段時間已有另一項更正或匯入的用電量，請先復原該項。',
      )
      typeMoment(/^開始/, '2026-03-04 09:00')
      expect(screen.queryByRole('alert')).toBeNull()
    })

    it('is found among older entries if it is not among the newest', async () => {
      server.use(
        answers(
          meterCorrections.listMeterCorrection,
          Array.from({ length: 200 }, (_, i) => ({
            ...replacement,
            CorrectionID: `6f1c6a0e-0f43-4c4e-9d0e-${String(i).padStart(12, '0')}`,
          })),
        ),
      )
      open('?tab=correct')
      expect(await screen.findByRole('button', { name: '顯示更早的紀錄' })).toBeTruthy()
      expect(screen.queryByText(/還沒有任何紀錄/)).toBeNull()
    })
  })

  it('finds the readings around a replacement after any length of silence', async () => {
    const DAY = 86_400_000
    const reading = (Timestamp: number, AccumulatePower: number, StartTime: number | null) => ({
      StartTime,
      AccumulationTime: null,
      Timestamp,
      AccumulatePower,
      // The counter fell.
      kWh: null,
      Power: null,
      AvgElectricCurrent: null,
      Voltage: null,
      PowerFactor: null,
      State: 'counted' as const,
    })
    const all = [reading(at - 9 * DAY, 134, null), reading(at + 8 * DAY, 5, at - 9 * DAY)]
    server.use(
      answers(meterData.getHistoryStatusData, (body) => {
        const { From, To } = body as { From: number; To: number }
        return { Rows: all.filter(({ Timestamp }) => Timestamp >= From && Timestamp < To), NextCursor: null }
      }),
      answers(meterData.getEnergySeries, {
        Series: [line('b', 0, [0])],
        Meters: { Reporting: 1, Total: 1 },
        Carbon: [],
      }),
    )
    open('?tab=replace&meter=b')
    await screen.findByText('下一步')
    fireEvent.mouseDown(screen.getByLabelText(/更換時間/))
    fireEvent.change(screen.getByLabelText(/更換時間/), { target: { value: '2026-03-04 11:00' } })
    fireEvent.keyDown(screen.getByLabelText(/更換時間/), { key: 'Enter', keyCode: 13 })
    fireEvent.click(screen.getByText('下一步'))
    expect(await screen.findByText(/最接近的讀數：134.00 kWh/)).toBeTruthy()
    expect(screen.getByText(/最接近的讀數：5.00 kWh/)).toBeTruthy()
    fireEvent.change(screen.getByLabelText(/舊表/), { target: { value: '143' } })
    fireEvent.change(screen.getByLabelText(/新表/), { target: { value: '1' } })
    fireEvent.click(screen.getByText('下一步'))
    // From 9 kWh in nine days and 4 in eight: 11 hours of the first rate and 13 of the second.
    const preview = await screen.findByRole('region', { name: '儲存後的變化' })
    const expected = ((9 / 9) * 11 + (4 / 8) * 13) / 24
    expect(await within(preview).findByText(expected.toFixed(2))).toBeTruthy()
  })

  it('clears the values of a replacement when its meter or time changes', async () => {
    server.use(
      answers(meterData.getHistoryStatusData, { Rows: [], NextCursor: null }),
      answers(meterData.getLastHistoryStatusData, []),
      answers(meterData.getEnergySeries, {
        Series: [line('b', 0, [1])],
        Meters: { Reporting: 1, Total: 1 },
        Carbon: [],
      }),
    )
    open('?tab=replace&meter=b')
    await screen.findByText('下一步')
    const type = (label: RegExp, value: string) =>
      fireEvent.change(screen.getByLabelText(label), { target: { value } })
    const step = (name: string) => fireEvent.click(screen.getByText(name))
    /** Types a time without opening the calendar. */
    const typeMoment = (label: RegExp, value: string) => {
      fireEvent.mouseDown(screen.getByLabelText(label))
      type(label, value)
      fireEvent.keyDown(screen.getByLabelText(label), { key: 'Enter', keyCode: 13 })
    }
    typeMoment(/更換時間/, '2026-03-04 11:00')
    step('下一步')
    type(/舊表/, '135')
    expect(await screen.findAllByText(/附近沒有讀數/)).toHaveLength(2)
    expect(screen.getByLabelText<HTMLInputElement>(/舊表/).value).toBe('135')
    step('上一步')
    typeMoment(/更換時間/, '2026-03-05 11:00')
    step('下一步')
    expect(screen.getByLabelText<HTMLInputElement>(/舊表/).value).toBe('')
  })

  it('offers no changes without the right, and names the missing one', async () => {
    me.set(subUser([{ FeatureKey: 'electricity', OperationList: ['Read'] }]))
    server.use(answers(meterCorrections.listMeterCorrection, [replacement]))
    open('?tab=correct')
    expect(await screen.findByText(/您缺少「.*」的「.*」權限/)).toBeTruthy()
    expect(screen.queryByRole('button', { name: '儲存更正' })).toBeNull()
  })

  it('says that a home has no meters', async () => {
    server.use(answers(meterData.getAllMeterData, []))
    open()
    expect(await screen.findByText(/還沒有電表/)).toBeTruthy()
  })

  it('shows the error and retries', async () => {
    server.use(rejectCall(meterData.getAllMeterData, 'INTERNAL'))
    const { user } = open()
    expect(await screen.findByText('系統發生錯誤，請稍後再試')).toBeTruthy()
    server.use(answers(meterData.getAllMeterData, [status('a', 10)]))
    await user.click(screen.getByRole('button', { name: /重.?試/ }))
    expect(await screen.findByText('總表')).toBeTruthy()
  })
})

describe('several meters without a parent', () => {
  const meter = (PeripheralUID: string, PeripheralName: string, ParentMeter: string | null = null) =>
    aPeripheral({ PeripheralUID, PeripheralName, PeripheralType: '514', ParentMeter })
  const have = (...meters: ReturnType<typeof meter>[]) =>
    server.use(
      answers(peripheral.operations.list, { Things: [], Peripherals: meters, Statuses: [] }),
      answers(
        meterData.getAllMeterData,
        meters.map(({ PeripheralUID }) => status(PeripheralUID, 1)),
      ),
    )
  const three = () =>
    have(meter('a', '總表'), meter('b', '空調'), meter('c', '照明'), meter('d', '插座', 'c'))
  const said = /^此場域有 3 個電表沒有母電表/
  beforeEach(() => localStorage.removeItem('independentMeters.h1'))

  it('are listed, and moved below the main meter that the user selects, without a preselection', async () => {
    three()
    server.use(answers(meterFacts.setMeterFact, []))
    const { user } = open()
    expect(await screen.findByText(said)).toBeTruthy()
    await user.click(screen.getByRole('button', { name: '設定主電表' }))
    const dialog = within(await screen.findByRole('dialog'))
    const save = dialog.getByRole<HTMLButtonElement>('button', { name: /儲\s*存/ })
    expect(save.disabled).toBe(true)
    await user.click(dialog.getByRole('combobox', { name: '主電表' }))
    await user.click(await screen.findByTitle('總表'))
    const boxes = dialog.getAllByRole<HTMLInputElement>('checkbox')
    expect(boxes.map(({ checked }) => checked)).toEqual([false, false, false])
    expect(save.disabled).toBe(true)
    await user.click(dialog.getByRole('checkbox', { name: '全部' }))
    await user.click(dialog.getByRole('checkbox', { name: '空調' }))
    await user.click(dialog.getByRole('checkbox', { name: '空調' }))
    await user.click(save)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    // They were never moved, so they have always been below it.
    expect(sentTo(meterFacts.setMeterFact.path)).toMatchObject(
      ['c', 'b'].map((MeterID) => ({ HomeID: 'h1', MeterID, Fact: 'parent', Value: 'a', From: null })),
    )
  })

  it('are hidden after the user marks them as independent, until another one appears', async () => {
    three()
    const first = open()
    await first.user.click(await screen.findByRole('button', { name: '各自獨立' }))
    expect(screen.queryByText(said)).toBeNull()
    cleanup()
    queryClient.clear()
    have(meter('a', '總表'), meter('b', '空調'), meter('e', '新表'))
    open()
    expect(await screen.findByText(said)).toBeTruthy()
  })

  it('are not listed for a single one, or without the right to change devices', async () => {
    open()
    expect(await screen.findByText('空調')).toBeTruthy()
    expect(screen.queryByText(/沒有母電表，合計/)).toBeNull()
    cleanup()
    queryClient.clear()
    three()
    const reader = subUser([
      { FeatureKey: 'device', OperationList: ['Read'] },
      { FeatureKey: 'electricity', OperationList: ['Read'] },
    ])
    signInAs(reader)
    me.set(reader)
    open()
    expect(await screen.findByText('空調')).toBeTruthy()
    expect(screen.queryByText(said)).toBeNull()
  })
})

describe('the roles of meters', () => {
  const quarters = (kWh: number) => Array.from({ length: 4 }, (_, i) => point(at + i * 900_000, kWh))
  beforeEach(() =>
    server.use(
      answers(meterData.getEnergySeries, {
        Series: [
          { Key: 'a', Points: quarters(3) },
          { Key: 'b', Points: quarters(2) },
        ],
        Meters: { Reporting: 2, Total: 2 },
        Carbon: [],
      }),
      answers(meterFacts.setMeterFacts, []),
    ),
  )

  it('are proposed, tried on yesterday, and saved only after confirmation', async () => {
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: '設定太陽能與儲能' }))
    const dialog = await screen.findByRole('dialog')
    const preview = await within(dialog).findByRole('region', { name: '以此設定計算的昨天' })
    expect(within(preview).getAllByRole('row').at(-1)?.textContent).toBe('合計12.012.0')
    expect(sentTo(meterFacts.setMeterFacts.path)).toEqual([])
    await user.click(within(dialog).getByRole('button', { name: /儲\s*存/ }))
    await waitFor(() =>
      expect(sentTo(meterFacts.setMeterFacts.path)).toMatchObject([
        { HomeID: 'h1', Facts: [{ MeterID: 'a', Fact: 'role', Value: 'gridImport', From: null }] },
      ]),
    )
  })

  it('are shown next to their meters', async () => {
    server.use(
      answers(meterFacts.listMeterFact, [
        { MeterID: 'b', Fact: 'role', From: null, Value: 'generation', By: null, At: 0 },
      ]),
    )
    open()
    expect(await screen.findByText('發電')).toBeTruthy()
  })
})

describe('the timeline of a meter', () => {
  const said = (Fact: string, From: string | null, Value: unknown, By: string | null = '王小明') => ({
    MeterID: 'b',
    Fact,
    From,
    Value,
    By,
    At: at,
  })
  const show = async (facts: object[]) => {
    server.use(
      answers(meterFacts.listMeterFact, facts as never),
      answers(meterFacts.listEndedRoom, []),
      answers(meterFacts.setMeterFact, []),
      answers(meterFacts.deleteMeterFact, []),
    )
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: '「空調」的更多動作' }))
    await user.click(await screen.findByText('沿革'))
    return { user, drawer: await screen.findByRole('dialog') }
  }

  it('shows since when each fact applies, who entered it, and when', async () => {
    const { drawer } = await show([
      said('parent', null, null, null),
      said('parent', '2026-02-01', 'a'),
      said('learnt', '2026-01-10', 120, null),
    ])
    const parents = await within(drawer).findByRole('region', { name: '母電表' })
    expect(
      within(parents)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual([
      expect.stringMatching(/^總表 目前2026\/2\/1 起王小明 於 2026\/3\/4/),
      expect.stringMatching(/一直以來系統於/),
    ])
    const limits = within(drawer).getByRole('region', { name: '功率上限' })
    expect(within(limits).getByText(/kW（依讀數推算）/)).toBeTruthy()
    expect(within(limits).queryByRole('button', { name: /^刪除/ })).toBeNull()
    expect(within(drawer).getByRole('region', { name: '角色' }).textContent).toContain('沒有另外設定')
  })

  it('undoes an entry after confirmation, and restores it', async () => {
    const { user, drawer } = await show([said('role', null, 'load'), said('role', '2026-02-01', 'check')])
    const roles = await within(drawer).findByRole('region', { name: '角色' })
    await user.click(within(roles).getByRole('button', { name: /^刪除「角色：對照/ }))
    await user.click(await screen.findByRole('button', { name: /^刪\s*除$/ }))
    const key = { HomeID: 'h1', MeterID: 'b', Fact: 'role', From: '2026-02-01' }
    await waitFor(() => expect(sentTo(meterFacts.deleteMeterFact.path)).toMatchObject([key]))
    await user.click(await within(drawer).findByRole('button', { name: /復\s*原/ }))
    await waitFor(() =>
      expect(sentTo(meterFacts.setMeterFact.path)).toMatchObject([{ ...key, Value: 'check' }]),
    )
  })

  it('sets a limit from a date on', async () => {
    const { user, drawer } = await show([])
    await user.click(await within(drawer).findByRole('button', { name: '設定上限' }))
    await screen.findByText('「空調」的功率上限')
    const dialog = screen.getAllByRole('dialog').at(-1) as HTMLElement
    fireEvent.change(within(dialog).getByLabelText('此電表的功率上限（kW）'), {
      target: { value: '60000' },
    })
    await user.click(within(dialog).getByText('一直以來'))
    await user.click(within(dialog).getByRole('button', { name: /儲\s*存/ }))
    await waitFor(() =>
      expect(sentTo(meterFacts.setMeterFact.path)).toMatchObject([
        { HomeID: 'h1', MeterID: 'b', Fact: 'limit', Value: 60_000, From: null },
      ]),
    )
  })

  it('sets the use of the meter, which defaults to one from its name', async () => {
    const { user, drawer } = await show([])
    expect(await within(drawer).findByText('依名稱判斷')).toBeTruthy()
    await user.click(within(drawer).getByRole('button', { name: '設定用途' }))
    await screen.findByText('「空調」的用途')
    const dialog = screen.getAllByRole('dialog').at(-1) as HTMLElement
    await user.click(within(dialog).getByRole('radio', { name: '空調' }))
    await user.click(within(dialog).getByRole('button', { name: /儲\s*存/ }))
    await waitFor(() =>
      expect(sentTo(meterFacts.setMeterFact.path)).toMatchObject([
        { HomeID: 'h1', MeterID: 'b', Fact: 'use', Value: 'airConditioning', From: null },
      ]),
    )
  })
})

describe('a virtual meter', () => {
  const openMenu = async (item: string) => {
    server.use(
      answers(virtualMeter.operations.list, [WITHOUT_COOLING]),
      answers(virtualMeter.operations.update, WITHOUT_COOLING),
      answers(meterFacts.setMeterFacts, []),
    )
    const { user } = open('?tab=virtual')
    await user.click(await screen.findByRole('button', { name: /更多動作/ }))
    await user.click(await screen.findByRole('menuitem', { name: item }))
    return { user, dialog: await screen.findByRole('dialog') }
  }

  it('gets a role together with the place where nothing counts twice', async () => {
    const { user, dialog } = await openMenu('電表角色')
    expect(within(dialog).getByText('將它放在「總表」之下，作為其中的一部分')).toBeTruthy()
    await user.click(within(dialog).getByRole('button', { name: /儲\s*存/ }))
    await waitFor(() =>
      expect(sentTo(meterFacts.setMeterFacts.path)).toMatchObject([
        {
          Facts: [
            { MeterID: 'virtual-1', Fact: 'role', Value: 'load', From: null },
            { MeterID: 'virtual-1', Fact: 'parent', Value: 'a', From: null },
          ],
        },
      ]),
    )
  })

  it('is renamed without sending its terms, which need a first day if they change', async () => {
    const { user, dialog } = await openMenu('編輯')
    expect(within(dialog).queryByText('從今天起')).toBeNull()
    fireEvent.change(within(dialog).getByLabelText('名稱', { selector: 'input' }), {
      target: { value: '公設' },
    })
    await user.click(within(dialog).getByRole('button', { name: '移除第 2 個電表' }))
    await user.click(await within(dialog).findByText('一直以來'))
    await user.click(within(dialog).getByRole('button', { name: /儲\s*存/ }))
    await waitFor(() =>
      expect(sentTo(virtualMeter.operations.update.path)).toMatchObject([
        { VirtualMeterName: '公設', Terms: [{ PeripheralUID: 'a', Factor: 1 }], From: null },
      ]),
    )
  })
})

describe('area and hours of a site', () => {
  const room = { HomeID: 'h1', RoomID: 1, RoomName: '會議室', PeripheralList: [], ThingNameList: [] }
  const show = async (facts: object[] = []) => {
    server.use(
      answers(home.operations.list, [
        {
          HomeID: 'h1',
          HomeName: '總部',
          TimeZone: 'Asia/Taipei',
          ThreadNetworkKey: null,
          Latitude: null,
          Longitude: null,
          RoomList: [room],
        },
      ]),
      answers(placeFacts.listPlaceFact, facts as never),
      answers(placeFacts.setPlaceFact, []),
    )
    const { user } = open('?tab=places')
    return { user, list: await screen.findByRole('list', { name: '面積與使用時間' }) }
  }
  const said = (RoomID: number | null, Fact: string, Value: unknown) => ({
    RoomID,
    Fact,
    From: null,
    Value,
    By: '王小明',
    At: at,
  })

  it('are shown for the site and each room, and unset ones as such', async () => {
    const hours = [{ Weekdays: [1, 2, 3, 4, 5], From: 540, To: 1080, Days: 'workdays' }]
    const { list } = await show([said(null, 'area', 1_200), said(null, 'hours', hours), said(1, 'hours', [])])
    await waitFor(() => expect(within(list).getAllByRole('listitem')).toHaveLength(2))
    const [site, ofRoom] = within(list)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent)
    expect(site).toMatch(/總部.*1,200.* m².*週一–週五 09:00–18:00 \(只有工作日\)/)
    expect(ofRoom).toMatch(/會議室面積未設定使用時間整週都不使用/)
  })

  it('are set from a date on, also for a room', async () => {
    const { user, list } = await show()
    await user.click(await within(list).findByRole('button', { name: '「會議室」的更多動作' }))
    await user.click(await screen.findByRole('menuitem', { name: '設定使用時間' }))
    const dialog = await screen.findByRole('dialog')
    await user.click(within(dialog).getByText('自訂時間'))
    await user.click(within(dialog).getByRole('checkbox', { name: '週五' }))
    await user.click(within(dialog).getByRole('button', { name: /儲\s*存/ }))
    await waitFor(() =>
      expect(sentTo(placeFacts.setPlaceFact.path)).toMatchObject([
        {
          RoomID: 1,
          Fact: 'hours',
          Value: [{ Weekdays: [1, 2, 3, 4], From: 540, To: 1080, Days: 'workdays' }],
          From: null,
          Seen: [],
        },
      ]),
    )
  })
})
