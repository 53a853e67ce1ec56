import { act, screen, waitFor, within } from '@testing-library/react'
import { useQuery } from '@tanstack/react-query'
import { beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { modbusTable } from '../../../../contract/devices/modbus/modbus-table.ts'
import {
  peripheral,
  peripheralCalls,
  type AnsweredPeripheral,
} from '../../../../contract/devices/peripheral.ts'
import { ValueLimitsForm } from '../../../../src/custom-views/device-panel/value-limits-form.tsx'
import { cacheInvalidation } from '../../../../src/data/api.ts'
import { devicesQuery } from '../../../../src/data/homes.ts'
import { statuses } from '../../../../src/data/status-store.ts'
import { beginAs, openPages } from '../../../support/device-screens.tsx'
import { modbusRow } from '../../../support/modbus-rows.ts'
import { answers, server } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { sentTo } from '../../support/page.tsx'
const air = aPeripheral({ PeripheralUID: 'air', PeripheralType: '753' })
const holds = (one: AnsweredPeripheral) =>
  server.use(answers(peripheral.operations.list, { Things: [], Peripherals: [one], Statuses: [] }))
const said = (PeripheralUID: string, PeripheralType: string, values: object) =>
  statuses.report({
    PeripheralUID,
    PeripheralType,
    Timestamp: Date.now(),
    updateAt: Date.now(),
    ...values,
  })

function Panel() {
  const found = useQuery(devicesQuery('h1')).data?.Peripherals[0]
  return found ? (
    <>
      <ValueLimitsForm device={found} onDirty={() => {}} />
      <p>drawn</p>
    </>
  ) : null
}
const open = (one: AnsweredPeripheral) => {
  holds(one)
  return openPages({ '/': <Panel /> }, '/').user
}
type User = ReturnType<typeof open>
const add = async (user: User, name: string) => {
  await user.click(await screen.findByRole('combobox', { name: '新增量測值' }))
  await user.click(await screen.findByText(name, { selector: '.ant-select-item-option-content' }))
}
const save = (user: User) => user.click(screen.getByRole('button', { name: /^儲\s*存$/ }))
const sent = () => sentTo(peripheralCalls.updateAdvance)

beforeEach(async () => {
  await beginAs()
  server.use(
    answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG),
    answers(peripheralCalls.updateAdvance, air),
    answers(modbusTable.operations.list, []),
  )
})

describe("the limits of a device's values", () => {
  it('can have only one side', async () => {
    const user = open(air)
    await add(user, 'PM2.5')
    await user.type(await screen.findByLabelText('PM2.5上限'), '35')
    await save(user)
    await waitFor(() =>
      expect(sent()).toEqual([
        {
          HomeID: 'h1',
          PeripheralUID: 'air',
          ValueLimits: { PM25: { Lower: null, Upper: 35 } },
          Seen: { ValueLimits: null },
        },
      ]),
    )
  })

  it('are not saved without any side, or if the upper is below the lower', async () => {
    const user = open(air)
    await add(user, '溫度')
    await save(user)
    expect(await screen.findByText('請填寫下限或上限')).toBeTruthy()
    await user.type(screen.getByLabelText('溫度下限'), '20')
    await user.type(screen.getByLabelText('溫度上限'), '10')
    await save(user)
    expect(await screen.findByText('上限不可低於下限')).toBeTruthy()
    expect(sent()).toEqual([])
  })

  it('are removed one by one; without any there are none', async () => {
    const user = open({ ...air, ValueLimits: { PM25: { Lower: null, Upper: 35 } } })
    await user.click(await screen.findByRole('button', { name: /移除「PM2\.5」/ }))
    await save(user)
    await waitFor(() => expect(sent()).toMatchObject([{ ValueLimits: null }]))
  })

  it('are offered for values of a Modbus table, by their labels', async () => {
    const table = {
      ModbusTableID: 't1',
      TableName: '水泵',
      Manufacturer: '',
      Model: '',
      Note: '',
      Rows: [modbusRow({ Key: 'flow', Label: '流量計', Unit: 'L/min' })],
      Version: 1,
    }
    server.use(answers(modbusTable.operations.list, [table]))
    said('plc', '758', { ModbusValues: { flow: 3 } })
    const user = open(aPeripheral({ PeripheralUID: 'plc', PeripheralType: '758', ModbusTableID: 't1' }))
    await add(user, '流量計')
    await user.type(await screen.findByLabelText('流量計下限'), '1')
    expect(screen.getAllByText('L/min')).toHaveLength(2)
    await save(user)
    await waitFor(() =>
      expect(sent()).toMatchObject([{ ValueLimits: { 'ModbusValues.flow': { Lower: 1, Upper: null } } }]),
    )
  })

  it('are hidden for a device without measured values', async () => {
    open(aPeripheral({ PeripheralUID: 'lamp', PeripheralType: '516' }))
    expect(await screen.findByText('drawn')).toBeTruthy()
    expect(screen.queryByText('其他警戒值')).toBeNull()
  })

  it('say that someone else has set them in the meantime', async () => {
    const user = open(air)
    await add(user, 'PM2.5')
    await user.type(await screen.findByLabelText('PM2.5上限'), '50')
    holds({ ...air, ValueLimits: { PM25: { Lower: 5, Upper: 35 } } })
    await act(() => cacheInvalidation.invalidate([{ entity: 'peripheral' }]))
    const told = (await screen.findByText('其他人剛修改過這筆資料')).closest('[role=alert]') as HTMLElement
    expect(told.textContent).toMatch(/PM2\.5：5.* µg\/m³ 至 35/)
    await user.click(within(told).getByText('採用對方的內容'))
    await waitFor(() => expect((screen.getByLabelText('PM2.5下限') as HTMLInputElement).value).toBe('5'))
  })
})
