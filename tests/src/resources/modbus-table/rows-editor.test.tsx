import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { beforeAll, describe, expect, it } from 'vitest'
import type { ModbusRow } from '../../../../contract/devices/modbus/modbus-table.ts'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { RowsEditor } from '../../../../src/resources/modbus-table/rows-editor.tsx'
import { Asking } from '../../../support/asking.tsx'
import { modbusRow } from '../../../support/modbus-rows.ts'

let rows: readonly ModbusRow[]

function Editor({ start, editable }: { start: readonly ModbusRow[]; editable: boolean }) {
  const [now, setNow] = useState(start)
  return (
    <Asking>
      <RowsEditor
        rows={now}
        onChange={(next) => {
          rows = next
          setNow(next)
        }}
        editable={editable}
      />
    </Asking>
  )
}
function open(start: readonly ModbusRow[] = [], editable = true) {
  rows = start
  render(<Editor start={start} editable={editable} />)
  return userEvent.setup()
}
const form = async () => within(await screen.findByRole('dialog'))
const voltage = modbusRow({
  Key: 'v',
  Label: '電壓',
  Address: 10,
  DataType: 'float32',
  Unit: 'V',
  Field: 'Voltage',
})

beforeAll(() => loadNamespaces(['modbus']))

describe('the rows of a Modbus table', () => {
  it('say what to do if there are none', () => {
    open()
    expect(screen.getByText(/還沒有暫存器/)).toBeTruthy()
  })

  it("are appended with the last one's kind and a unique key", async () => {
    const user = open([voltage])
    await user.click(screen.getByRole('button', { name: /新增暫存器/ }))
    const dialog = await form()
    await user.click(dialog.getByRole('button', { name: /套\s?用/ }))
    expect(await dialog.findByText('請填寫此欄位')).toBeTruthy()
    expect(rows).toHaveLength(1)
    await user.type(dialog.getByLabelText('名稱'), '電流')
    await user.click(dialog.getByRole('button', { name: /套\s?用/ }))
    await screen.findByText('電流')
    expect(rows[1]).toMatchObject({
      Key: 'value1',
      Label: '電流',
      Address: 12,
      DataType: 'float32',
      Field: null,
    })
  })

  it('reject a duplicate key', async () => {
    const user = open([voltage, modbusRow({ Key: 'p', Label: '功率', Unit: '°C' })])
    await user.click(screen.getByRole('button', { name: '編輯「功率」' }))
    const dialog = await form()
    await user.clear(dialog.getByLabelText('代碼'))
    await user.type(dialog.getByLabelText('代碼'), 'v')
    await user.click(dialog.getByRole('button', { name: /套\s?用/ }))
    expect(await dialog.findByText('已被使用，請換一個')).toBeTruthy()
    expect(rows[1]?.Key).toBe('p')
  })

  it('warn if two share registers', () => {
    open([voltage, modbusRow({ Key: 'x', Label: '誤植', Address: 11 })])
    expect(screen.getByText(/「電壓」與「誤植」占用相同的暫存器/)).toBeTruthy()
  })

  it('are copied under another key and removed', async () => {
    const user = open([voltage])
    await user.click(screen.getByRole('button', { name: '複製「電壓」' }))
    await user.click((await form()).getByRole('button', { name: /套\s?用/ }))
    expect(rows.map(({ Key, Field }) => [Key, Field])).toEqual([
      ['v', 'Voltage'],
      ['v1', null],
    ])
    await user.click(screen.getAllByRole('button', { name: '移除「電壓」' })[0] as HTMLElement)
    expect(rows.map(({ Key }) => Key)).toEqual(['v1'])
  })

  it('are read-only without the right to change them', () => {
    open([voltage], false)
    expect(screen.getByText('電壓')).toBeTruthy()
    expect(screen.queryByRole('button')).toBeNull()
  })
})
