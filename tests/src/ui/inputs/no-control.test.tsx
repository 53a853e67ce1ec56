import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { CapabilityName } from '../../../../contract/devices/capabilities/capability.ts'
import { scene } from '../../../../contract/automation/scene.ts'
import { RoomCommands } from '../../../../src/custom-views/building/room-commands.tsx'
import { RoomScenes } from '../../../../src/custom-views/building/room-drawer.tsx'
import Appliance from '../../../../src/domain/devices/control/appliance.tsx'
import Cover from '../../../../src/domain/devices/control/cover.tsx'
import type { Face } from '../../../../src/domain/devices/control/face.ts'
import Fields from '../../../../src/domain/devices/control/fields.tsx'
import Thermostat from '../../../../src/domain/devices/control/thermostat.tsx'
import { queryClient } from '../../../../src/data/api.ts'
import { loadNamespaces, t } from '../../../../src/lib/i18n/i18n.ts'
import { connection } from '../../../../src/live/channel.ts'
import { SHORT_BREAK_MS } from '../../../../src/live/reach.ts'
import { ControlReach } from '../../../../src/shell/connection-strip.tsx'
import { ControlArea } from '../../../../src/ui/inputs/control-area.tsx'
import { NoControl } from '../../../../src/ui/inputs/no-control.ts'
import { SwitchControl } from '../../../../src/ui/inputs/switch-control.tsx'
import { beginAs, drawFace, knownCapability } from '../../../support/device-screens.tsx'
import { answers, requests, server } from '../../../support/msw.ts'
import { aPeripheral } from '../../../support/peripheral.ts'
import { leavingScene } from '../../support/acting-home.ts'

const WHY = '無法連線到伺服器，暫時無法控制裝置。'

beforeAll(() => loadNamespaces(['automation', 'building', 'devices', 'shell']))
beforeEach(() => beginAs())

/** All elements that could control a device. */
const controls = () => [
  ...document.body.querySelectorAll<HTMLElement>(
    'button, input, select, [role="slider"], [role="switch"], [role="combobox"]',
  ),
]
const isDisabled = (one: HTMLElement) =>
  one.getAttribute('aria-disabled') === 'true' ||
  (one as HTMLButtonElement).disabled ||
  one.closest('fieldset[disabled]') !== null

function expectNoControl(): void {
  expect(controls()).not.toEqual([])
  expect(controls().filter((one) => !isDisabled(one))).toEqual([])
  for (const one of controls()) {
    fireEvent.click(one)
    fireEvent.keyDown(one, { keyCode: 39 })
    fireEvent.keyUp(one, { keyCode: 39 })
  }
}

const faces: [string, Face, string, CapabilityName, Record<string, unknown>][] = [
  ['switch and slider of a dimmer', Fields, '532', 'dimmer', { Switch: 1, Brightness: 40 }],
  ['buttons and slider of a cover', Cover, '901', 'cover', { CoverState: 1, Position: 40 }],
  [
    'tiles, steppers and choices of an air conditioner',
    Appliance,
    '527',
    'airConditioner',
    { Switch: 1, ACMode: 0, TargetTemperature: 25, FanSpeed: 1 },
  ],
  [
    'steppers of a thermostat',
    Thermostat,
    '525',
    'thermostat',
    { ThermostatTable: [{ NodeID: 1, Switch: 1, Temperature: 24, TargetTemperature: 25 }] },
  ],
]

describe('while devices cannot be controlled', () => {
  it.each(faces)('disables the %s with the reason', (_, Shown, type, name, status) => {
    const Closed: Face = (props) => (
      <NoControl value={WHY}>
        <ControlArea>
          <Shown {...props} />
        </ControlArea>
      </NoControl>
    )
    const device = aPeripheral({ PeripheralUID: 'one', PeripheralType: type })
    const { send } = drawFace(Closed, device, knownCapability(type, name), { status })
    expectNoControl()
    expect(send).not.toHaveBeenCalled()
    expect(screen.getByRole('note').textContent).toBe(WHY)
  })

  const inHome = (children: ReactNode) =>
    render(
      <QueryClientProvider client={queryClient}>
        <NoControl value={WHY}>{children}</NoControl>
      </QueryClientProvider>,
    )

  it('disables the commands to a room with the reason', () => {
    const begin = vi.fn()
    const devices = [
      aPeripheral({ PeripheralUID: 'lamp', PeripheralType: '532' }),
      aPeripheral({ PeripheralUID: 'air', PeripheralType: '527' }),
    ]
    inHome(<RoomCommands HomeID="h1" RoomID={1} name="會議室" devices={devices} onStart={begin} />)
    expectNoControl()
    expect(begin).not.toHaveBeenCalled()
    expect(screen.getByRole('note').textContent).toBe(WHY)
  })

  it('disables scenes with the reason', async () => {
    server.use(answers(scene.operations.list, [leavingScene()]))
    inHome(<RoomScenes HomeID="h1" RoomID={1} inside={new Set(['a'])} onStart={vi.fn()} />)
    expect((await screen.findByRole('button')).title).toBe(WHY)
    const before = requests.length
    expectNoControl()
    expect(requests).toHaveLength(before)
  })
})

describe('the switch of a list', () => {
  afterEach(() => {
    vi.useRealTimers()
    act(() => connection.state.set('idle'))
  })

  it('is disabled with the reason while the channel is down, keeps its focus, and works again after', async () => {
    const onChange = vi.fn()
    render(
      <QueryClientProvider client={queryClient}>
        <ControlReach>
          <SwitchControl name="走道燈" value={0} requested={undefined} onChange={onChange} />
        </ControlReach>
      </QueryClientProvider>,
    )
    const lamp = screen.getByRole('switch')
    lamp.focus()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    act(() => connection.state.set('connected'))
    act(() => connection.state.set('reconnecting'))
    act(() => void vi.advanceTimersByTime(SHORT_BREAK_MS))
    vi.useRealTimers()
    expect(lamp.getAttribute('aria-disabled')).toBe('true')
    expect(lamp.title).toBe(t('shell:connection.noControl'))
    expect(document.activeElement).toBe(lamp)
    fireEvent.click(lamp)
    expect(onChange).not.toHaveBeenCalled()
    act(() => connection.state.set('connected'))
    await waitFor(() => expect(lamp.getAttribute('aria-disabled')).toBe('false'))
    fireEvent.click(lamp)
    expect(onChange).toHaveBeenCalledWith(1)
  })
})
