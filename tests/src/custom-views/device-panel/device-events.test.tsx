import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import { deviceEvents, type DeviceEvent } from '../../../../contract/devices/event-calls.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../contract/people/personal-calls.ts'
import { home } from '../../../../contract/homes/home.ts'
import { DeviceEvents } from '../../../../src/custom-views/device-panel/recent-activity.tsx'
import { queryClient } from '../../../../src/data/api.ts'
import { changeLanguage } from '../../../../src/lib/i18n/i18n.ts'
import { aHome, beginAs } from '../../../support/device-screens.tsx'
import { answers, server } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
/** Texts of the list for these events of a device of this type, in order; all have the same time. */
async function said(PeripheralType: string, all: readonly Pick<DeviceEvent, 'Field' | 'Value'>[]) {
  const events = all.map((one, Seq): DeviceEvent => ({ Seq, Timestamp: 1_000, Before: 0, ...one }))
  server.use(answers(deviceEvents.listDeviceEvent, events))
  server.use(answers(home.operations.list, [aHome('h1', '家', {})]))
  render(
    <QueryClientProvider client={queryClient}>
      <DeviceEvents device={aPeripheral({ PeripheralUID: 'one', PeripheralType })} online />
    </QueryClientProvider>,
  )
  // The placeholder during loading is a list, too.
  const times = await screen.findAllByRole('time')
  return times.map(({ parentElement }) =>
    [...(parentElement?.children ?? [])].slice(1).map(({ textContent }) => textContent),
  )
}

beforeEach(async () => {
  await beginAs()
  server.use(answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG))
})

describe('the events of a device', () => {
  it('include hub disconnects and reconnects, also for a meter', async () => {
    const events = [
      { Field: 'Online', Value: 1 },
      { Field: 'Online', Value: 0 },
    ]
    expect(await said('514', events)).toEqual([
      ['連線狀態', '線上'],
      ['連線狀態', '離線'],
    ])
  })

  it("are in the person's language", async () => {
    await act(() => changeLanguage('en-US'))
    expect(await said('534', [{ Field: 'Online', Value: 0 }])).toEqual([['Connection', 'Offline']])
  })

  it('name the zone of a thermostat', async () => {
    expect(await said('525', [{ Field: 'ThermostatTable.3.Switch', Value: 1 }])).toEqual([
      ['分區 3 開關', '開'],
    ])
  })

  it('count the presses of a button, including two at the same time', async () => {
    const events = [
      { Field: 'Presses', Value: 13 },
      { Field: 'Presses', Value: 12 },
    ]
    expect(await said('903', events)).toEqual([
      ['按下次數', '13'],
      ['按下次數', '12'],
    ])
  })
})
