import { act, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { automations } from '../../../../contract/automation/calls.ts'
import { runs } from '../../../../contract/automation/run-calls.ts'
import ReplaceDialog from '../../../../src/domain/automation/replace/replace-dialog.tsx'
import { changeLanguage, loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { answers, rejectCall, server, subUser } from '../../../support/msw.ts'
import { actingDevices, arriveInActingHome } from '../../support/acting-home.ts'
import { openPage, sentTo } from '../../support/page.tsx'
const [old, , , dimmer] = actingDevices().Peripherals
const close = vi.fn()
const open = (device = old) =>
  openPage(<ReplaceDialog old={{ ...device!, HomeID: 'h1' }} close={close} />, '/', '/')
const dialog = async () => within(await screen.findByRole('dialog'))

beforeEach(async () => {
  close.mockClear()
  await arriveInActingHome()
  server.use(
    answers(runs.listUsedBy, {
      Rows: [
        { Kind: 'group', HomeID: 'h1', ID: 'g1', Name: '所有燈', AutomationType: null, Role: 'member' },
        { Kind: 'automation', HomeID: 'h1', ID: 'a1', Name: '上班', AutomationType: 1, Role: 'action' },
      ],
      Hidden: 1,
    }),
  )
})

async function replace({ user }: ReturnType<typeof open>, name: string, ok: string) {
  await user.click(await (await dialog()).findByRole('combobox'))
  await user.keyboard(name)
  await user.click(await screen.findByText(name, { selector: '.ant-select-item-option-content' }))
  await user.click((await dialog()).getByRole('button', { name: ok }))
}

describe('replacing a device', () => {
  it('lists what is transferred, offers only devices of its type, and shows the result', async () => {
    server.use(
      answers(automations.replacePeripheral, { Groups: 1, Scenes: 0, Automations: 2, Meters: 3, Alarms: 0 }),
    )
    const page = open()
    expect(await (await dialog()).findByText('群組：所有燈')).toBeTruthy()
    expect((await dialog()).getByText('另有 1 個您沒有權限檢視的項目')).toBeTruthy()
    await page.user.click(await (await dialog()).findByRole('combobox'))
    expect(await screen.findByText('桌燈', { selector: '.ant-select-item-option-content' })).toBeTruthy()
    expect(screen.queryByText('調光燈')).toBeNull()
    await replace(page, '桌燈', '更 換')
    expect(await screen.findByText('「走廊燈」已由「桌燈」接替')).toBeTruthy()
    expect(
      within(screen.getByRole('status'))
        .getAllByRole('listitem')
        .map((one) => one.textContent),
    ).toEqual(['1 個群組', '2 個自動化', '3 個子電表或虛擬電表'])
    expect(sentTo(automations.replacePeripheral)).toEqual([
      expect.objectContaining({ HomeID: 'h1', Old: 'a', New: 'b' }),
    ])
  })

  it('is shown in English', async () => {
    await act(() => changeLanguage('en-US'))
    await loadNamespaces(['automation'])
    server.use(
      answers(automations.replacePeripheral, { Groups: 0, Scenes: 0, Automations: 1, Meters: 0, Alarms: 0 }),
    )
    const page = open()
    await replace(page, '桌燈', 'Replace')
    expect(await screen.findByText('桌燈 has replaced 走廊燈')).toBeTruthy()
    expect(screen.getByText('1 automation')).toBeTruthy()
  })

  it('shows at the choice why the gateway rejects it', async () => {
    server.use(rejectCall(automations.replacePeripheral, 'CONFLICT', { fields: { New: 'taken' } }))
    const page = open()
    await replace(page, '桌燈', '更 換')
    expect(await screen.findByText(/兩個裝置同時用於同一個項目/)).toBeTruthy()
    expect(close).not.toHaveBeenCalled()
  })

  it('says that there is no other device, and which right is missing', async () => {
    await arriveInActingHome(subUser([{ FeatureKey: 'device', OperationList: ['Read', 'Update'] }]))
    open(dimmer)
    expect(await (await dialog()).findByText(/此場域沒有其他同類型的裝置/)).toBeTruthy()
    expect((await dialog()).getByRole<HTMLButtonElement>('button', { name: '更 換' }).disabled).toBe(true)
    expect((await dialog()).getByText(/裝置控制|控制/)).toBeTruthy()
  })
})
