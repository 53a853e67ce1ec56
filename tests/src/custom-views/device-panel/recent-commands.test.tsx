import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import type { CommandValues } from '../../../../contract/devices/capabilities/capability.ts'
import { commands, type Command } from '../../../../contract/devices/command-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { RecentCommands } from '../../../../src/custom-views/device-panel/recent-activity.tsx'
import { queryClient } from '../../../../src/data/api.ts'
import { changeLanguage, loadNamespaces } from '../../../../src/lib/i18n/i18n.ts'
import { statuses } from '../../../../src/data/status-store.ts'
import { beginAs } from '../../../support/device-screens.tsx'
import { answers, server } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
const command = (Values: CommandValues, index: number): Command => ({
  RequestID: `r-${index}`,
  HomeID: 'h1',
  PeripheralUID: 'one',
  Values,
  State: 'confirmed',
  Reason: null,
  Source: 'person',
  RunID: null,
  By: '值班人員',
  RequestedAt: 1,
  SettledAt: 2,
})

/** Texts of the list for commands to a device of this type, in order. */
async function said(PeripheralType: string, asked: readonly CommandValues[]): Promise<(string | null)[]> {
  server.use(answers(commands.listCommand, asked.map(command)))
  render(
    <QueryClientProvider client={queryClient}>
      <RecentCommands device={aPeripheral({ PeripheralUID: 'one', PeripheralType })} />
    </QueryClientProvider>,
  )
  await screen.findAllByText('值班人員')
  return screen.getAllByRole('listitem').map((item) => item.firstChild?.textContent ?? null)
}

const reported = (PeripheralType: string, more: CommandValues) =>
  statuses.report({ PeripheralUID: 'one', PeripheralType, Timestamp: 1, updateAt: 1, ...more })

beforeEach(async () => {
  await beginAs()
  server.use(answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG))
})

describe('the last commands to a device', () => {
  it('name the parameters of a radar with their units', async () => {
    const mmWaveConfig = {
      MinDistance: 0.5,
      MaxDistance: 4,
      MotionSensitivity: 5,
      StaticSensitivity: 6,
      HoldTime: 30,
    }
    expect(await said('529', [{ mmWaveConfig }])).toEqual([
      '最近距離：0.5 m、最遠距離：4 m、移動靈敏度：5、靜止靈敏度：6、無人延遲：30 秒',
    ])
  })

  it('name the zone of a thermostat and the changed value', async () => {
    expect(
      await said('525', [
        { ThermostatTable: [{ NodeID: 7, Switch: 0 }] },
        {
          ThermostatTable: [
            { NodeID: 1, Switch: 1, TargetTemperature: 22.5 },
            { NodeID: 2, Switch: 1 },
          ],
        },
      ]),
    ).toEqual(['分區 7 開關：關', '分區 1 開關：開、分區 1 溫度設定：22.5 °C、分區 2 開關：開'])
  })

  it('name numbers by the words of the reported appliance', async () => {
    reported('527', { TaiSEIAType: 14 })
    expect(await said('527', [{ FanSpeed: 1 }, { ScheduleOff: 12 }])).toEqual([
      '風量：強',
      '預約關機：12 小時',
    ])
  })

  it("name a calibration step like its button, in the person's language", async () => {
    await act(() => changeLanguage('en-US'))
    await loadNamespaces(['lightHouse'])
    expect(
      await said('515', [
        { Calibration: { Step: 'initialized', LightType: 'column' } },
        { Calibration: { Step: 'memorizing', Count: 2 } },
      ]),
    ).toEqual(['Calibration: Start calibration', 'Calibration: Memorize this color'])
  })
})
