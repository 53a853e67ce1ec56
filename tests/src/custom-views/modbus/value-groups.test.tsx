import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { ValueGroups } from '../../../../src/custom-views/modbus/value-groups.tsx'
import { loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { Asking } from '../../../support/asking.tsx'
import { modbusRow } from '../../../support/modbus-rows.ts'

const rows = [
  modbusRow({ Key: 'v1', Label: '電壓', Group: 'L1', DataType: 'float32', Unit: 'V', Decimals: 1 }),
  modbusRow({
    Key: 'set',
    Label: '溫度',
    DataType: 'int16',
    Scale: 0.1,
    Unit: '°C',
    Decimals: 1,
    Access: 'rw',
    Min: 5,
    Max: 25,
  }),
  modbusRow({ Key: 'run', Label: '壓縮機', Area: 'coil', DataType: 'bool', Access: 'rw' }),
  modbusRow({ Key: 'broken', Label: '故障', Address: 9 }),
]
const VALUES = { v1: 230.16, set: 21.5, run: 0, broken: null }

function open(props: Partial<Parameters<typeof ValueGroups>[0]> = {}) {
  const write = vi.fn<(key: string, value: number) => void>()
  render(
    <Asking>
      <ValueGroups rows={rows} values={VALUES} pending={undefined} write={write} {...props} />
    </Asking>,
  )
  return { write, user: userEvent.setup() }
}
const line = (label: string) => screen.getByText(label).closest('li') as HTMLElement
const confirm = async (user: ReturnType<typeof userEvent.setup>) =>
  user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: /寫\s?入/ }))

beforeAll(() => loadNamespaces(['modbus']))

describe('the values of a Modbus device', () => {
  it('are shown in the groups of the table with value, unit and register', () => {
    open()
    expect(screen.getAllByRole('heading').map(({ textContent }) => textContent)).toEqual(['L1', '一般'])
    expect(line('電壓').textContent).toContain('230.2V')
    expect(line('電壓').textContent).toContain('保持暫存器 0')
    expect(line('故障').textContent).toContain('無法讀取')
  })

  it('show that they await the first reading, and a pending value until it is reported', () => {
    open({ values: undefined, pending: { set: 18 } })
    expect(line('電壓').textContent).toContain('等待讀取')
    expect(line('溫度').textContent).toContain('寫入中：18.0 °C')
  })

  it('are edited by keyboard: the field gets focus at once, and Escape restores it', async () => {
    const { user } = open()
    const opener = screen.getByRole('button', { name: '寫入「溫度」' })
    opener.focus()
    await user.keyboard('{Enter}')
    const field = await screen.findByRole('spinbutton')
    await waitFor(() => expect(document.activeElement).toBe(field))
    await user.keyboard('{Escape}')
    await waitFor(() => expect(document.activeElement).toBe(opener))
  })

  it('are writable only if the table and the right allow it', () => {
    open()
    expect(screen.queryByRole('button', { name: '寫入「電壓」' })).toBeNull()
    expect(screen.getByRole('button', { name: '寫入「溫度」' })).toBeTruthy()
  })

  it('are shown but not writable without the right', () => {
    open({ write: undefined })
    expect(screen.queryByRole('button')).toBeNull()
    expect(screen.queryByRole('switch')).toBeNull()
    expect(line('壓縮機').textContent).toContain('關')
  })

  it('are written as the register stores them, after confirmation', async () => {
    const { write, user } = open()
    await user.click(screen.getByRole('button', { name: '寫入「溫度」' }))
    const input = await screen.findByRole('spinbutton')
    await user.clear(input)
    await user.type(input, '18.26{Enter}')
    expect(await screen.findAllByText('要將「溫度」改為 18.3 °C 嗎？')).not.toHaveLength(0)
    expect(write).not.toHaveBeenCalled()
    await confirm(user)
    expect(write).toHaveBeenCalledExactlyOnceWith('set', 18.3)
  })

  it('are rejected outside the limits of the table', async () => {
    const { write, user } = open()
    await user.click(screen.getByRole('button', { name: '寫入「溫度」' }))
    const input = await screen.findByRole('spinbutton')
    await user.clear(input)
    await user.type(input, '26{Enter}')
    expect(await screen.findByText(/此數值無法寫入/)).toBeTruthy()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(write).not.toHaveBeenCalled()
  })

  it('are switched after confirmation, and show the value that the device reports', async () => {
    const { write, user } = open()
    await user.click(screen.getByRole('switch', { name: '壓縮機' }))
    await confirm(user)
    expect(write).toHaveBeenCalledExactlyOnceWith('run', 1)
    expect(screen.getByRole('switch', { name: '壓縮機' }).getAttribute('aria-checked')).toBe('false')
  })
})
