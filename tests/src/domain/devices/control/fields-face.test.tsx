import { act, fireEvent, screen, within } from '@testing-library/react'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  OnOff,
  oneOf,
  type Capability,
  type Choices,
} from '../../../../../contract/devices/capabilities/capability.ts'
import { drawnFields } from '../../../../../contract/devices/kinds/field-shape.ts'
import { deviceTypes } from '../../../../../contract/devices/kinds/registry.ts'
import { DEFAULT_PERSONAL_CONFIG, personal } from '../../../../../contract/people/personal-calls.ts'
import Fields from '../../../../../src/domain/devices/control/fields.tsx'
import { changeLanguage, hasText, t } from '../../../../../src/lib/i18n/i18n.ts'
import { beginAs, drawFace, knownCapability } from '../../../../support/device-screens.tsx'
import { answers, server } from '../../../../support/msw.ts'
import { aPeripheral } from '../../../../support/peripheral.ts'
type Values = Record<string, unknown>
const device = aPeripheral({ PeripheralUID: 'one', PeripheralType: '532' })
const draw = (
  capability: Capability,
  status: Values | undefined,
  options: { may?: boolean; pending?: Values } = {},
) => drawFace(Fields, device, capability, { status, ...options })

beforeEach(async () => {
  await beginAs()
  server.use(answers(personal.getPersonalConfig, DEFAULT_PERSONAL_CONFIG))
})

describe('the control panel of any capability', () => {
  it('moves a relay only after the device reports it, and shows the pending value until then', async () => {
    const { user, send, report } = draw(knownCapability('532', 'dimmer'), { Switch: 0, Brightness: 40 })
    const lamp = screen.getByRole('switch', { name: '開關' })
    await user.click(lamp)
    expect(send).toHaveBeenCalledWith({ Switch: 1 })
    expect((lamp as HTMLInputElement).ariaChecked ?? lamp.getAttribute('aria-checked')).toBe('false')
    report({ Switch: 0, Brightness: 40 }, { Switch: 1 })
    expect(screen.getByText('關 → 開')).toBeTruthy()
    report({ Switch: 1, Brightness: 40 })
    expect(lamp.getAttribute('aria-checked')).toBe('true')
    expect(screen.queryByText('關 → 開')).toBeNull()
  })

  it('sets a number within its limits by a slider, with its unit', async () => {
    const { send, report } = draw(knownCapability('532', 'dimmer'), { Switch: 1, Brightness: 40 })
    expect(screen.getByText('40%')).toBeTruthy()
    const slider = screen.getByRole('slider', { name: '亮度' })
    expect([slider.getAttribute('aria-valuemin'), slider.getAttribute('aria-valuemax')]).toEqual(['0', '100'])
    fireEvent.keyDown(slider, { keyCode: 39 })
    fireEvent.keyUp(slider, { keyCode: 39 })
    expect(send).toHaveBeenCalledWith({ Brightness: 41 })
    report({ Switch: 1, Brightness: 40 }, { Brightness: 41 })
    expect(screen.getByText('40% → 41%')).toBeTruthy()
  })

  it('highlights the primary value of a sensor, or its first one', () => {
    const { report } = draw(knownCapability('753', 'airQuality'), { PM25: 12, Temperature: 25.4 })
    const others = () => screen.getAllByRole('term').map(({ textContent }) => textContent)
    expect(others()).toEqual(['溫度', '濕度'])
    report({ Temperature: 4.2, Humidity: 71 })
    expect(others()).toEqual(['PM2.5', '濕度'])
  })

  it('returns to the reported value if a command fails', () => {
    const { report } = draw(
      knownCapability('532', 'dimmer'),
      { Switch: 1, Brightness: 40 },
      { pending: { Brightness: 90 } },
    )
    const slider = screen.getByRole('slider')
    expect(slider.getAttribute('aria-valuenow')).toBe('90')
    report({ Switch: 1, Brightness: 40 })
    expect(slider.getAttribute('aria-valuenow')).toBe('40')
  })

  it('is read-only without control', () => {
    draw(knownCapability('532', 'dimmer'), { Switch: 1, Brightness: 40 }, { may: false })
    expect(screen.queryByRole('switch')).toBeNull()
    expect(screen.queryByRole('slider')).toBeNull()
    expect(screen.getByText('開')).toBeTruthy()
    expect(screen.getByText('40%')).toBeTruthy()
  })

  it('shows an unknown state before the first report, without a selected choice', () => {
    const modes: Choices = [
      [0, 'pulse'],
      [1, 'switch'],
    ]
    const capability: Capability = {
      name: 'dryContact',
      status: { ContactMode: oneOf(modes) },
      command: { ContactMode: oneOf(modes) },
      units: {},
      choices: { ContactMode: modes },
    }
    draw(capability, undefined)
    expect(screen.getByText('未知')).toBeTruthy()
    for (const radio of screen.getAllByRole('radio')) expect((radio as HTMLInputElement).checked).toBe(false)
  })

  it('offers a few choices side by side and sends the selected one', async () => {
    const { user, send } = draw(knownCapability('527', 'ventilation'), { Switch: 1, BreathMode: 0 })
    const modes = within(screen.getByLabelText('換氣模式'))
    expect((modes.getByRole('radio', { name: '自動換氣' }) as HTMLInputElement).checked).toBe(true)
    await user.click(modes.getByText('全熱換氣'))
    expect(send).toHaveBeenCalledWith({ BreathMode: 1 })
  })

  it.each([
    ['sends it when the answer is yes', '閉合接點', 1],
    ['sends nothing when the answer is no', /取\s?消/, 0],
  ])(
    'asks for confirmation before it switches an output that may start a machine, and %s',
    async (_, answer, sent) => {
      const { user, send } = draw(knownCapability('517', 'dryContact'), { Switch: 0, ContactMode: 1 })
      await user.click(screen.getByRole('switch', { name: '接點輸出' }))
      const dialog = within(await screen.findByRole('dialog'))
      expect(dialog.getAllByText('要閉合接點嗎？')).not.toHaveLength(0)
      expect(send).not.toHaveBeenCalled()
      await user.click(dialog.getByRole('button', { name: answer }))
      expect(send).toHaveBeenCalledTimes(sent)
    },
  )
})

/** Representative values of one field: every choice, both switch positions, a number. */
const drawn = deviceTypes.flatMap(({ type, kind, capabilities }) =>
  capabilities.map((capability) => ({ type, kind, name: capability.name, capability })),
)

describe.each(['zh-TW', 'en-US'] as const)('every state in %s', (language) => {
  it.each(drawn)('$type $kind $name has words', async ({ capability }) => {
    await act(() => changeLanguage(language))
    for (const field of drawnFields(capability))
      for (const [value, name] of capability.choices?.[field] ?? []) {
        const key = `devices:values.${name}`
        expect(hasText(key), key).toBe(true)
        const { container } = draw(capability, { [field]: value }, { may: false })
        expect(container.textContent).toContain(t(key as 'devices:values.none'))
        container.remove()
      }
  })
})

it('renders a kind composed of known capabilities without code of its own', async () => {
  const sensor: Capability[] = [
    knownCapability('753', 'airQuality'),
    knownCapability('756', 'smoke'),
    knownCapability('516', 'switches'),
  ]
  for (const capability of sensor) draw(capability, { PM25: 12, Temperature: 25, SmokeState: 3, Switch: 1 })
  expect(screen.getByText('12.00')).toBeTruthy()
  expect(screen.getByText('火警')).toBeTruthy()
  expect(screen.getByRole('switch', { name: '開關' }).getAttribute('aria-checked')).toBe('true')
})

it('recognizes a relay by its schema under any name', () => {
  const capability: Capability = {
    name: 'switches',
    status: { Switch2: OnOff },
    command: { Switch2: OnOff },
    units: {},
  }
  draw(capability, { Switch2: 1 })
  expect(screen.getByRole('switch', { name: '開關 2' })).toBeTruthy()
})
