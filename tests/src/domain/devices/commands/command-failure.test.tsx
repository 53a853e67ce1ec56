import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { CommandFailure } from '../../../../../src/domain/devices/commands/command-failure.tsx'
import type { DeviceControl } from '../../../../../src/domain/devices/commands/use-device-control.ts'
import type { CommandView } from '../../../../../src/live/commands.ts'
import { beginAs } from '../../../../support/device-screens.tsx'

const failed: CommandView = {
  RequestID: 'r1',
  PeripheralUID: 'lamp',
  Values: { Switch: 1 },
  State: 'failed',
  Reason: 'hubOffline',
}

function draw(more: Partial<DeviceControl>) {
  const [retry, dismiss] = [vi.fn(), vi.fn()]
  const control = { send: () => {}, pending: undefined, failed, retry, dismiss, ...more }
  render(<CommandFailure control={control} />)
  return { retry, dismiss, user: userEvent.setup() }
}

beforeEach(() => beginAs())

describe('a failed command', () => {
  it('shows the reason, and is retried or dismissed', async () => {
    const { user, retry, dismiss } = draw({})
    expect(screen.getByRole('alert').textContent).toContain('控制失敗閘道器離線，指令未送出')
    await user.click(screen.getByRole('button', { name: /重\s?試/ }))
    expect(retry).toHaveBeenCalledTimes(1)
    await user.click(screen.getByRole('button', { name: /close/i }))
    expect(dismiss).toHaveBeenCalledTimes(1)
  })

  it("shows the hub's own message", () => {
    draw({ failed: { ...failed, Reason: 'hubRefused', Detail: 'setpoint: Modbus exception 2' } })
    expect(screen.getByRole('alert').textContent).toContain(
      '閘道器拒絕了指令閘道器的說明：setpoint: Modbus exception 2',
    )
  })

  it('offers no retry without the right to control', () => {
    draw({ send: undefined })
    expect(screen.getByRole('alert')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /重\s?試/ })).toBeNull()
  })

  it('is hidden without a failure', () => {
    draw({ failed: undefined })
    expect(screen.queryByRole('alert')).toBeNull()
  })
})
